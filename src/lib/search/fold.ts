/** Letters without a Unicode decomposition, and the letters that people type in their place. */
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

/** Accents of Latin, Greek and Cyrillic, points of Hebrew and vowels of Arabic. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652]/gu;

/** Removes accents, so that `übersicht` and `ubersicht` become equal. Takes a word in lower case. */
export function fold(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}
