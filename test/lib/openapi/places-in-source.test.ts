import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { placesInSource } from '../../../src/lib/openapi/places-in-source.ts';
import type { JsonValue } from '../../../src/lib/openapi/read-source.ts';

const name = fc.stringMatching(/^[a-z/~"\\%]{1,4}$/);
const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(name, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

function pointersOf(value: JsonValue, at = ''): [pointer: string, name: string | number][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const pointer = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [
      [pointer, Array.isArray(value) ? Number(key) : key] as [string, string | number],
      ...pointersOf(below, pointer),
    ];
  });
}

const offsetIn = (text: string, { line, column }: { line: number; column: number }) =>
  text
    .split('\n')
    .slice(0, line - 1)
    .join('\n').length +
  (line > 1 ? 1 : 0) +
  column -
  1;

test('the place of a member is that of its name, in JSON and in YAML', () => {
  fc.assert(
    fc.property(fc.dictionary(name, tree, { minKeys: 1, maxKeys: 3, noNullPrototype: true }), (value) => {
      const pointers = pointersOf(value);
      const texts = [JSON.stringify(value), JSON.stringify(value, null, 2), stringify(value)];
      for (const [index, text] of texts.entries()) {
        const places = placesInSource(
          text,
          index < 2 ? 'json' : 'yaml',
          pointers.map(([pointer]) => pointer),
        );
        const offsets = pointers.map(([pointer]) => offsetIn(text, places.get(pointer) ?? { line: 0, column: 0 }));
        expect(offsets.toSorted((a, b) => a - b)).toEqual(offsets);
        // In YAML, an item of a list begins where its first member does.
        if (index < 2) expect(new Set(offsets).size).toBe(offsets.length);
        for (const [at, [, key]] of pointers.entries()) {
          if (typeof key === 'string' && index < 2)
            expect(text.slice(offsets[at]).startsWith(JSON.stringify(key))).toBe(true);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('a pointer without a value has the place of the nearest value around it', () => {
  const text = '{\n  "a": [\n    {"b": 1}\n  ]\n}';
  const places = placesInSource(text, 'json', ['', '/a/0/c/d', '/a/7', '/x']);
  expect(Object.fromEntries(places)).toEqual({
    '': { line: 1, column: 1 },
    '/a/0/c/d': { line: 3, column: 5 },
    '/a/7': { line: 2, column: 3 },
    '/x': { line: 1, column: 1 },
  });
});
