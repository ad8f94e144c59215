import { expect, test } from 'vitest';
import { runsByFont } from '../../../src/lib/pdf/fonts.ts';

const latin = { name: 'Latin', has: (codePoint: number) => codePoint < 0x300 || codePoint === 0x22a5 };

const textOf = (text: string) =>
  runsByFont(text, [latin])
    .map((run) => run.text)
    .join('');

test('a plainer form is shown of characters that no font has', () => {
  expect(textOf('𝐀𝒞𝔊𝟏 ﬁne ①')).toBe('ACG1 fine 1');
  expect(textOf('a ⟂ b')).toBe('a ⊥ b');
});

test('marks of directions, byte order marks and hyphens within words are not drawn', () => {
  expect(textOf('\ufeffa\u00adb\u2067c\u2069')).toBe('abc');
});
