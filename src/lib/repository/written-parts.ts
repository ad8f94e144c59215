import { linesOf } from '../document/markdown/patch/lines-of.ts';

/** The text of a file, byte for byte: what precedes the body, and the body. */
export interface WrittenParts {
  head: string;
  body: string;
}

/** Splits a file before the line of its body. A title in the middle of the text is no part of either. */
export function writtenParts(text: string, body: string, bodyLine: number): WrittenParts {
  const lines = linesOf(text);
  const [head, rest] = [lines.slice(0, bodyLine - 1), lines.slice(bodyLine - 1)].map((part) => part.join(''));
  const isWhole = rest?.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n') === body;
  // Most often the body is the same text, and then should not be in memory twice.
  return isWhole ? { head: head ?? '', body: rest === body ? body : (rest ?? '') } : { head: '', body };
}

/** Number of lines, whatever they end with. */
export const linesIn = (text: string): number => text.split(/\r\n?|\n/).length;
