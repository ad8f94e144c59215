import { linesFrom } from '../../../lib/document/markdown/patch/lines-of.ts';
import { highest, MAX_RESULT_BYTES } from './result.ts';

/** A part of a text, with the place to continue from. */
export interface TextPart {
  text: string;
  /** The last line of the part, counted from 1. */
  to: number;
  /** Left out at the end of the text. */
  nextLine?: number;
  /** Character of that line, counted from 1. Only if the part ends within a line. */
  nextCharacter?: number;
}

interface Place {
  /** The line that the text begins with, counted from 1. */
  line: number;
  /** Character of this line to begin with, counted from 1. */
  character: number;
  /** Number of the last line that is wanted, which the text may not have. */
  last: number;
}

/** The first lines of a text that fit. If the first one does not, as many of its characters as do. */
export function firstPart(text: string, { line, character, last }: Place, fits: (part: TextPart) => boolean): TextPart {
  const lines = firstLines(text, character);
  const upTo = (count: number): TextPart => {
    const to = line + count - 1;
    return { text: lines.slice(0, count).join(''), to, ...(to < last && { nextLine: to + 1 }) };
  };
  const part = upTo(highest(lines.length, (count) => fits(upTo(count))));
  if (lines.length === 0 || fits(part)) return part;
  const [first = ''] = lines;
  const cut = (length: number): TextPart => {
    const piece = first.slice(0, splitsPair(first, length) ? length + 1 : length);
    return { text: piece, to: line, nextLine: line, nextCharacter: character + piece.length };
  };
  return cut(highest(first.length - 1, (length) => fits(cut(length))));
}

/** As many lines as could fit, and at least one. */
function firstLines(text: string, character: number): string[] {
  const lines: string[] = [];
  let length = 0;
  for (const fullLine of linesFrom(text, 0)) {
    const line = lines.length === 0 ? fullLine.slice(character - 1) : fullLine;
    lines.push(line);
    length += line.length;
    if (length > MAX_RESULT_BYTES) break;
  }
  return lines;
}

/** Whether a cut would divide a character that takes two UTF-16 units. */
const splitsPair = (text: string, length: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(length - 1, length + 1));
