import { expect, test } from 'vitest';
import { parseSource } from '../../../src/lib/openapi/read-source.ts';

const read = (text: string) => parseSource(text).value;

test.each([
  ['one source', 'x: &x {a: 1}\ny: {<<: *x, b: 2}', { a: 1, b: 2 }],
  ['own members over those of a source', 'x: &x {a: 1, b: 1}\ny: {<<: *x, b: 2}', { a: 1, b: 2 }],
  ['earlier sources over later ones', 'x: &x {a: 1}\nz: &z {a: 2, b: 2}\ny: {<<: [*x, *z]}', { a: 1, b: 2 }],
  ['sources that merge others', 'x: &x {a: 1}\nz: &z {<<: *x, b: 2}\ny: {<<: *z}', { a: 1, b: 2 }],
  ['mappings in lists', 'x: &x {a: 1}\ny: [{<<: *x}]', [{ a: 1 }]],
  ['a member of this name that is no mapping', 'y: {<<: 1, a: 2}', { '<<': 1, a: 2 }],
])('YAML merges %s', (_, text, merged) => {
  expect(read(text).y).toEqual(merged);
});

test('JSON has no merge keys', () => {
  expect(read('{"y":{"<<":{"a":1}}}')).toEqual({ y: { '<<': { a: 1 } } });
});
