/** Converts any text to one that `lineText` accepts: removes invalid characters and truncates it. */
export function lineFrom(text: string, max: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\t\n\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '');
  return cutTo(max, line).trim() || 'Untitled';
}

/** Number of code points of a text. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The first `max` code points of a text. */
export const cutTo = (max: number, text: string) => [...text.slice(0, max * 2)].slice(0, max).join('');
