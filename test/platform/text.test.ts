import { expect, test } from 'vitest';
import { codePoints, cutTo } from '../../src/platform/shapes/cut-text.ts';
import { lineText, multilineText, nameText } from '../../src/platform/shapes/text.ts';

const faultOf = (schema: ReturnType<typeof multilineText>, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message;

test('counts characters, not their units', () => {
  expect(codePoints('a😀b')).toBe(3);
  expect(cutTo(2, '😀😀😀')).toBe('😀😀');
  expect(cutTo(5, 'abc')).toBe('abc');
  expect(faultOf(lineText(1, 3), '😀😀😀')).toBeUndefined();
  expect(faultOf(lineText(1, 3), '😀😀😀😀')).toBe('must be at most 3 characters long');
  expect(faultOf(lineText(2, 3), '😀')).toBe('must be at least 2 characters long');
  expect(faultOf(lineText(1, 3), '')).toBe('must not be empty');
  expect(faultOf(lineText(0, 3), '')).toBeUndefined();
});

test('keeps white space and marks of direction as they are', () => {
  expect(multilineText(0, 20).parse('  a\tb\n\u200f ')).toBe('  a\tb\n\u200f ');
});

test.each([
  ['\u0000', 'U+0000'],
  ['\u0007', 'U+0007'],
  ['\r', 'U+000D'],
  ['\u007f', 'U+007F'],
  ['\u0085', 'U+0085'],
])('refuses the control character %j', (character, name) => {
  for (const schema of [multilineText(0, 20), lineText(0, 20)])
    expect(faultOf(schema, `a${character}b`)).toContain(name);
});

test.each(['\t', '\n', '\u202e', '\u200f', '\u2028'])('a line holds no %j, a text does', (character) => {
  expect(faultOf(lineText(0, 20), `a${character}b`)).toContain('control character');
  expect(faultOf(multilineText(0, 20), `a${character}b`)).toBeUndefined();
});

test.each(['\ud83d', '\ude00', 'a\ude00\ud83d'])('refuses half of a surrogate pair: %j', (value) => {
  expect(faultOf(multilineText(0, 20), value)).toMatch(/surrogate/);
});

test.each(['', ' ', '\u00a0', '\u3000 \u2003'])('a name is not blank: %j', (blank) => {
  expect(faultOf(nameText(20), blank)).toBe(blank === '' ? 'must not be empty' : 'must not be blank');
});

test('a name keeps surrounding white space', () => {
  expect(nameText(4).parse(' ab ')).toBe(' ab ');
  expect(faultOf(nameText(3), ' ab ')).toBe('must be at most 3 characters long');
});
