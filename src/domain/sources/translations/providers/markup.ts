import { readTokens } from '../../../../lib/translation/coded-text.ts';

/** Placeholders as elements of XML and HTML, whose names begin with a letter. */
export const toMarkup = (segment: string): string => segment.replaceAll(/<(\/?)(\d{1,5})(\/?)>/g, '<$1x$2$3>');

/** Placeholders from elements. Parsers of HTML turn `<x1/>` into `<x1></x1>`, or close it at another place. */
export function fromMarkup(segment: string, answer: unknown): unknown {
  if (typeof answer !== 'string') return answer;
  const empty = new Set(readTokens(segment).flatMap((token) => (token.kind === 'void' ? [String(token.number)] : [])));
  return answer.replaceAll(/<(\/?)x(\d{1,5})\s?(\/?)>/gi, (_tag, closes: string, number: string, isVoid: string) => {
    if (!empty.has(number)) return `<${closes}${number}${isVoid}>`;
    return closes === '' ? `<${number}/>` : '';
  });
}
