import { readTokens } from '../../../../lib/translation/coded-text.ts';

/** Placeholders as elements of XML and HTML, whose names begin with a letter. */
export const toMarkup = (segment: string): string => segment.replaceAll(/<(\/?)(\d{1,5})(\/?)>/g, '<$1x$2$3>');

/** Placeholders from elements. Parsers of HTML turn `<x1/>` into `<x1></x1>`, or close it at another place. */
export function fromMarkup(segment: string, translation: unknown): unknown {
  if (typeof translation !== 'string') return translation;
  const empty = new Set(readTokens(segment).flatMap((token) => (token.kind === 'void' ? [String(token.number)] : [])));
  return translation.replaceAll(
    /<(\/?)x(\d{1,5})\s?(\/?)>/gi,
    (_tag, closes: string, number: string, isVoid: string) => {
      if (!empty.has(number)) return `<${closes}${number}${isVoid}>`;
      return closes === '' ? `<${number}/>` : '';
    },
  );
}
