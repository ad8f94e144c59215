import { linesOf } from '../document/markdown/patch/lines-of.ts';

/** The text of a file, byte for byte: what precedes the body, and the body. */
export interface WrittenParts {
  head: string;
  body: string;
}

/** Splits a file before the line of its body, which is `body` apart from line ends and a byte order mark. */
export function writtenParts(text: string, body: string, bodyLine: number): WrittenParts {
  const lines = linesOf(text);
  const [head = '', rest = ''] = [lines.slice(0, bodyLine - 1), lines.slice(bodyLine - 1)].map((part) => part.join(''));
  // Most often the body is the same text, and then should not be in memory twice.
  return { head, body: rest === body ? body : rest };
}

/** Number of lines, whatever they end with. */
export const countLines = (text: string): number => text.split(/\r\n?|\n/).length;
