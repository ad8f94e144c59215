export type TextDirection = 'ltr' | 'rtl';

/** Scripts that are written from right to left, as their codes in language tags (ISO 15924). */
const RTL_SCRIPTS = new Set(['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Mend', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

/** Returns the direction that a language is written in. `language` is a BCP 47 tag; without one, left to right. */
export function directionOfLanguage(language: string | null | undefined): TextDirection {
  if (!language) return 'ltr';
  try {
    const { script } = new Intl.Locale(language).maximize();
    return script !== undefined && RTL_SCRIPTS.has(script) ? 'rtl' : 'ltr';
  } catch {
    return 'ltr'; // not a language tag
  }
}

/** A character of a script that is written from right to left. The last range has these scripts beyond the BMP. */
export const RTL_CHARACTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const LETTER = /\p{L}/u;

/**
 * Returns the direction of a piece of text, such as a paragraph, among content of the direction `base`. Among content
 * from left to right, the first letter decides, as for `dir="auto"` in HTML. Among content from right to left, which
 * often begins with a foreign name, text has the other direction only if none of its letters is written from right to
 * left.
 */
export function directionOf(text: string, base: TextDirection): TextDirection {
  if (base === 'rtl') return RTL_CHARACTER.test(text) || !LETTER.test(text) ? 'rtl' : 'ltr';
  if (!RTL_CHARACTER.test(text)) return 'ltr';
  const first = LETTER.exec(text)?.[0];
  return first !== undefined && RTL_CHARACTER.test(first) ? 'rtl' : 'ltr';
}

/** Maximum number of titles that say in which direction content is written. */
const MAX_TITLES = 200;

/**
 * Returns the direction of the content of a space: that of its language. Languages such as Persian cannot be set; the
 * content of a space without a language has the direction of most of its titles.
 */
export function directionOfContent(language: string | null | undefined, titles: readonly string[]): TextDirection {
  if (language) return directionOfLanguage(language);
  const some = titles.slice(0, MAX_TITLES);
  const turned = some.filter((title) => directionOf(title, 'ltr') === 'rtl').length;
  return turned > some.length / 2 ? 'rtl' : 'ltr';
}
