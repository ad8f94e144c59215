import { expect, test } from 'vitest';
import { isOneEdit, spellingsOf, toleratesTypo } from '../../../src/lib/search/spellings.ts';

test.each([
  ['agent', 'agnet', true],
  ['agent', 'gaent', true],
  ['agent', 'agetn', true],
  ['agent', 'agen', true],
  ['agent', 'gent', true],
  ['agent', 'agents', true],
  ['agent', 'aagent', true],
  ['agent', 'agont', true],
  ['agent', 'agent', false],
  ['agent', 'agnte', false],
  ['agent', 'age', false],
  ['agent', 'tnega', false],
  ['ab', 'cd', false],
])('%s and %s are one edit apart: %s', (a, b, expected) => {
  expect([isOneEdit(a, b), isOneEdit(b, a)]).toEqual([expected, expected]);
});

const LETTERS = 'abcdeüж';

/** Every word that one edit makes of a word. */
function neighbours(word: string): string[] {
  const letters = [...word];
  return letters.flatMap((_, at) => [
    letters.toSpliced(at, 1).join(''),
    ...[...LETTERS].flatMap((letter) => [
      letters.toSpliced(at, 1, letter).join(''),
      letters.toSpliced(at, 0, letter).join(''),
    ]),
    ...(at > 0 ? [letters.toSpliced(at - 1, 2, letters[at] ?? '', letters[at - 1] ?? '').join('')] : []),
  ]);
}

test.each(['abcd', 'aabb', 'deücж', 'abababab'])('every neighbour of %s has a spelling in common with it', (word) => {
  const own = new Set(spellingsOf(word, 'salt'));
  for (const neighbour of neighbours(word)) {
    if (neighbour === word) continue;
    expect([neighbour, isOneEdit(word, neighbour)]).toEqual([neighbour, true]);
    expect([neighbour, spellingsOf(neighbour, 'salt').some((spelling) => own.has(spelling))]).toEqual([
      neighbour,
      true,
    ]);
  }
});

test('spellings of two owners have nothing in common', () => {
  const [one, other] = [spellingsOf('agent', 'one'), spellingsOf('agent', 'other')];
  expect(one.some((spelling) => other.includes(spelling))).toBe(false);
});

test.each([
  ['agent', true],
  ['cat', false],
  ['ipv4x', false],
  ['x'.repeat(31), false],
])('a typo in %s is looked past: %s', (word, expected) => {
  expect(toleratesTypo(word)).toBe(expected);
});
