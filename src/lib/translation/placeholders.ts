/** Parts that software replaces or reads literally. They are the same in every language. */
const PATTERNS = [
  /(?:https?|ftps?):\/\/[\w\-~:/?#@!$&'()*+,;=%.[\]]{0,2000}[\w\-~/#@$&*+=%]/,
  /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/,
  /\{\{[^{}\n]{1,200}\}\}/,
  /[$%]\{[^{}\n]{1,200}\}/,
  /\{[\w.-]{1,60}\}/,
  /<[A-Za-z][\w-]{0,60}>/,
  /\$[A-Z][A-Z\d_]{1,60}(?![A-Za-z\d])/,
  /%[A-Z][A-Z\d_]{1,60}%/,
  /%\([\w.-]{1,60}\)[sdif](?![A-Za-z\d])/,
  /(?<![\d%])%(?:\d{1,2}\$)?[-+#0]{0,3}\d{0,3}(?:\.\d{1,3})?(?:ll?|h)?[sdifuxXgGeEc@](?![A-Za-z\d])/,
];
const PARAMETER = /(?<=^|[\s/(]):[a-z]\w{0,60}(?![\w:])/;

const patternOf = (parts: readonly RegExp[]) => new RegExp(`(${parts.map(({ source }) => source).join('|')})`);

const PLACEHOLDER = patternOf([...PATTERNS, PARAMETER]);
const CERTAIN = patternOf(PATTERNS);

/** Splits a text at its placeholders and URLs: every second part is one. */
export const splitPlaceholders = (text: string): string[] => text.split(PLACEHOLDER);

/** The placeholders in a text in a canonical order, without those that only the text around them tells from words. */
export const placeholdersIn = (text: string): string =>
  text
    .split(CERTAIN)
    .filter((_, index) => index % 2 === 1)
    .sort()
    .join(' ');
