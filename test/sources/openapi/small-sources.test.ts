import { expect, test } from 'vitest';
import { type ProcessOutput, work } from '../../../src/domain/sources/openapi/processing/process-work.ts';
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

/** Operations that are on the pages of many tags. */
const tagged = (operations: number) => ({
  paths: numbered(operations, (at) => [
    `/${'x'.repeat(200)}-${at}`,
    { get: { tags: Array.from({ length: 50 }, (_, tag) => `t${tag}`) } },
  ]),
});

/** Operations that are on the page of each of them, because they have the same webhook. */
const hooked = (operations: number) => ({
  webhooks: { hook: { additionalOperations: numbered(operations, (at) => [`method-${at}`, {}]) } },
});

test.each([
  ['references', referring, 500, /more than 100 MB, .* references/],
  ['inherited servers', served, 600, /more than 100 MB, .* servers/],
  ['shared paths', sharing, 4_500, /parameters .* on pages, .* more than 40 MB/],
  ['tags of operations', tagged, 1_000, /operations on all pages take more than 20 MB/],
  ['operations of one webhook', hooked, 400, /operations on all pages take more than 20 MB/],
])(
  'a small source with many %s is unusable beyond a limit, and sends no more than 100 MB',
  (_, members, count, message) => {
    const few = processed(members(count / 10));
    expect(few.output.kind).toBe('processed');
    expect(few.sent).toBeGreaterThan(3 * few.source);
    const many = processed(members(count));
    expect(many.source).toBeLessThan(1_000_000);
    expect(many.output).toEqual({ kind: 'unusable', faults: [{ message: expect.stringMatching(message) }] });
    expect(many.sent).toBeLessThan(100_000_000);
  },
);
