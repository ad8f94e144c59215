import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, hashOf, sha256 } from '../../src/lib/canonical.ts';

test.each([
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  [{ a: undefined, b: {} }, '{"b":{}}'],
  [{ '\u20ac': 1, '\r': 2, '1': 3, '\u{1f600}': 4, ö: 5 }, '{"\\r":2,"1":3,"ö":5,"€":1,"😀":4}'],
  [[-0, 1e21, 0.1], '[0,1e+21,0.1]'],
  ['a"\n', '"a\\"\\n"'],
])('writes %j in its one form', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test.each([[Number.NaN], [undefined], [[undefined]], [1n], [() => 0], [new Date(0)], [new Map()]])(
  'refuses values that JSON cannot represent: %s',
  (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  },
);

test('reads back as the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('does not depend on the order of members', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
      const turned = Object.fromEntries(Object.entries(members).reverse());
      expect(hashOf(turned)).toBe(hashOf(members));
    }),
  );
});

test('hashes text in UTF-8 as SHA-256 in hex', () => {
  // FIPS 180-4, the example of one block.
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hashOf('abc')).toBe(sha256('"abc"'));
});
