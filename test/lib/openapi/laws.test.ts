import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from '../../../src/lib/openapi/json-fault.ts';
import type { Outline } from '../../../src/lib/openapi/outline.ts';
import { type OutlinePage, pagesOf } from '../../../src/lib/openapi/pages.ts';
import type { JsonValue } from '../../../src/lib/openapi/read-source.ts';
import { pointerOf, pointerTokens, valueAt } from '../../../src/lib/openapi/references.ts';
import { resolveReferences } from '../../../src/lib/openapi/resolve.ts';

const RUNS = { numRuns: 200 };

test('the fault of broken JSON is where it was cut, and a prefix has it at its end', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      const cut = json.slice(0, at % (json.length + 1));
      let isValid = true;
      try {
        JSON.parse(cut);
      } catch {
        isValid = false;
      }
      const broken = `${cut}\u0007`;
      expect(jsonFault(broken)).toBeLessThanOrEqual(broken.length);
      if (isValid) expect(jsonFault(broken)).toBe(cut.trimEnd() === cut ? cut.length : jsonFault(broken));
    }),
    RUNS,
  );
});

test('a pointer leads to the value that it was made for', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { maxLength: 5 }), (tokens) => {
      const root = tokens.reduceRight<JsonValue>((value, token) => ({ [token]: value }), 'here');
      const read = pointerTokens(pointerOf(tokens).slice(1).replaceAll('%', '%25'));
      fc.pre(!tokens.includes('__proto__'));
      expect(read).toEqual(tokens);
      expect(valueAt(root, tokens)).toBe('here');
    }),
    RUNS,
  );
});

/** Graphs of parts, circular ones among them. */
const graph = fc.array(fc.array(fc.nat(5), { maxLength: 4 }), { minLength: 1, maxLength: 6 });

test('resolving ends for every graph of references, and leaves only references that are circular or unknown', () => {
  fc.assert(
    fc.property(graph, (edges) => {
      const refTo = (index: number) => ({ $ref: `#/parts/${index}` });
      const parts = edges.map((targets, index) => ({ name: index, to: targets.map(refTo) }));
      const part = (ref: string) => parts[Number(ref.slice('#/parts/'.length))];
      const check = (value: JsonValue, within: number[]): void => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
        if (typeof value.$ref === 'string') {
          const target = Number(value.$ref.slice('#/parts/'.length));
          expect(within.includes(target) || parts[target] === undefined).toBe(true);
          return;
        }
        for (const below of value.to as JsonValue[]) check(below, [...within, Number(value.name)]);
      };
      check(resolveReferences(refTo(0), part), []);
    }),
    RUNS,
  );
});

const outline: fc.Arbitrary<Outline> = fc.record({
  title: fc.constant('API'),
  version: fc.constant('1'),
  description: fc.constant(''),
  tags: fc.array(
    fc.record(
      { name: fc.constantFrom('a', 'b', 'c', 'A'), parent: fc.constantFrom('a', 'b', 'c', 'x') },
      { requiredKeys: ['name'] },
    ),
  ),
  operations: fc.array(
    fc.record(
      {
        kind: fc.constant('path' as const),
        method: fc.constantFrom('get', 'post'),
        path: fc.constantFrom('/a', '/a/', '/b'),
        operationId: fc.constantFrom('one', 'One', 'two'),
        tags: fc.array(fc.constantFrom('a', 'b', 'd'), { maxLength: 2 }),
      },
      { requiredKeys: ['kind', 'method', 'path', 'tags'] },
    ),
  ),
  schemas: fc.constant(['Pet']),
});

const flat = (pages: OutlinePage[]): OutlinePage[] => pages.flatMap((page) => [page, ...flat(page.pages)]);

test('keys are unique in a tree, and slugs among siblings, for every specification', () => {
  fc.assert(
    fc.property(outline, fc.constantFrom('by-tag', 'by-operation'), (given, grouping) => {
      const pages = pagesOf(given, { models: true, changelog: false, downloadLink: false, grouping });
      const all = flat(pages);
      expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
      for (const siblings of [pages, ...all.map((page) => page.pages)]) {
        expect(new Set(siblings.map(({ slug }) => slug)).size).toBe(siblings.length);
      }
    }),
    RUNS,
  );
});

test.each(['down', 'up'])('a chain of 1,000 tags, from its end %s, is at most nine pages deep', (direction) => {
  const chain = Array.from({ length: 1_000 }, (_, at) => ({
    name: `tag-${at}`,
    description: 'Words.',
    ...(at > 0 && { parent: `tag-${at - 1}` }),
  }));
  const tags = direction === 'down' ? chain : chain.toReversed();
  const pages = pagesOf(
    { title: 'API', version: '1', description: '', tags, operations: [], schemas: [] },
    { models: false, changelog: false, downloadLink: false, grouping: 'by-tag' },
  );
  const depthOf = (some: OutlinePage[]): number => Math.max(0, ...some.map((page) => 1 + depthOf(page.pages)));
  expect([flat(pages).length, depthOf(pages)]).toEqual([1_000, 9]);
});
