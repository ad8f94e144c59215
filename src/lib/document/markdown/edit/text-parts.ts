import { contentLength, linesFrom, linesOf } from '../patch/lines-of.ts';

/** The line end of a text: that of its first line. */
export function lineEndOf(text: string): string {
  for (const [end] of text.matchAll(/\r\n?|\n/g)) return end;
  return '\n';
}

const isBlank = (line: string): boolean => line.trim() === '';

/** Markdown as a part of another text: with the line ends of that, and without blank lines around it. */
export function asPart(markdown: string, lineEnd: string): string {
  const content = contentWithin(markdown, { from: 0, to: markdown.length });
  return content ? markdown.slice(content.from, content.to).replace(/\r\n?|\n/g, lineEnd) : '';
}

/**
 * The stretch of a range of whole lines that is not blank: from the start of its first line with content to the end of
 * its last one, without its line end. Undefined if all lines are blank.
 */
export function contentWithin(
  text: string,
  range: { from: number; to: number },
): { from: number; to: number } | undefined {
  let at = range.from;
  let content: { from: number; to: number } | undefined;
  for (const line of linesOf(text.slice(range.from, range.to))) {
    if (!isBlank(line)) content = { from: content?.from ?? at, to: at + contentLength(line) };
    at += line.length;
  }
  return content;
}

/** The line ends to insert between a place in a text and a part, so that an empty line is between them. */
export const gapBefore = (text: string, at: number, lineEnd: string): string =>
  at === 0 ? '' : lineEnd.repeat(2 - lineEndsBefore(text, at));

/** The same after a part that ends where the text continues. */
export function gapAfter(text: string, at: number, lineEnd: string): string {
  const rest = text.slice(at);
  if (isBlank(rest)) return rest === '' && at === 0 ? lineEnd : '';
  const [first = '', second = ''] = linesOf(rest.slice(0, 4_000));
  if (!isBlank(first)) return lineEnd + lineEnd;
  return isBlank(second) ? '' : lineEnd;
}

/** Number of line ends directly before a place, at most two. */
function lineEndsBefore(text: string, at: number): number {
  const lines = linesOf(text.slice(Math.max(0, at - 4), at));
  const isEnded = (line = ''): boolean => contentLength(line) < line.length;
  const last = lines.at(-1) ?? '';
  if (!isEnded(last)) return 0;
  return contentLength(last) === 0 && isEnded(lines.at(-2)) ? 2 : 1;
}

/**
 * The range to remove with some lines: the blank lines below them go with them, or those above if nothing follows. So
 * what is before and after them is as far apart as what follows them is.
 */
export function removalOf(text: string, range: { from: number; to: number }): { from: number; to: number } {
  let to = range.to;
  for (const line of linesFrom(text, range.to)) {
    if (!isBlank(line)) return { from: range.from, to };
    to += line.length;
  }
  const preceding = contentWithin(text, { from: 0, to: range.from });
  if (!preceding) return { from: 0, to: text.length };
  const [end = ''] = linesOf(text.slice(preceding.to, range.from));
  return { from: preceding.to + end.length, to: text.length };
}
