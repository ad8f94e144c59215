import { expect, test } from 'vitest';
import { type ProcessOutput, work } from '../../../src/domain/sources/openapi/process-work.ts';
import { pets } from './arrange.ts';

/** What the worker makes of a specification, and the size of the rows that it sends. */
function processed(members: Record<string, unknown>): { source: number; output: ProcessOutput; sent: number } {
  const bytes = Buffer.from(pets(members));
  let sent = 0;
  const input = { files: [{ location: 'openapi.json', bytes }], latestDigest: null, latest: [] };
  const output = work(input, ({ rows }) => {
    sent += rows.length;
  });
  return { source: bytes.length, output, sent };
}

const numbered = <Value>(count: number, entryOf: (at: number) => [string, Value]) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => entryOf(at)));
const longName = (at: number) => `${'x'.repeat(90)}-${at}`;

/** Operations that all depend on the same 2,000 schemas. */
const referring = (operations: number) => ({
  paths: numbered(operations, (at) => [
    `/${at}`,
    { get: { responses: { 200: { content: { a: { schema: { $ref: '#/components/schemas/Many' } } } } } } },
  ]),
  components: {
    schemas: {
      Many: { anyOf: Array.from({ length: 2_000 }, (_, at) => ({ $ref: `#/components/schemas/${longName(at)}` })) },
      ...numbered(2_000, (at) => [longName(at), {}]),
    },
  },
});

/** Operations that all inherit the same servers. */
const served = (operations: number) => ({
  servers: [{ url: 'https://example.com', description: 'x'.repeat(200_000) }],
  paths: numbered(operations, (at) => [`/${at}`, { get: {} }]),
});

/** Paths that all are the same one. */
const sharing = (paths: number) => ({
  paths: numbered(paths, (at) => [`/${at}`, { $ref: '#/components/pathItems/Shared' }]),
  components: {
    pathItems: {
      Shared: { get: { parameters: Array.from({ length: 50 }, (_, at) => ({ name: longName(at), in: 'query' })) } },
    },
  },
});

test.each([
  ['references', referring, 500, /references .* more than 100,000,000 characters/],
  ['inherited servers', served, 1_100, /more than 200 MB/],
  ['shared paths', sharing, 4_500, /on pages .* more than 20,000,000 characters/],
])(
  'a small source with many %s is unusable beyond a limit, and sends no more than 200 MB',
  (_, members, count, message) => {
    const few = processed(members(count / 10));
    expect(few.output.kind).toBe('processed');
    expect(few.sent).toBeGreaterThan(3 * few.source);
    const many = processed(members(count));
    expect(many.source).toBeLessThan(1_000_000);
    expect(many.output).toEqual({ kind: 'unusable', faults: [{ message: expect.stringMatching(message) }] });
    expect(many.sent).toBeLessThan(200_000_000);
  },
);
