/** Letters that stand for others where a keyboard lacks them, and have no decomposition (Unicode, UnicodeData.txt). */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  ـ: '',
};

const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** Accents of Latin, Greek and Cyrillic, points of Hebrew, vowels of Arabic. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652]/gu;

/** A word as it is typed without accents: `Übersicht` and `Ubersicht` fold to one. Takes lower case. */
export function fold(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}
