import type { SourceLine } from './source-lines.ts';

/**
 * Milliseconds that micromark may need for some lines, estimated from above. Its time grows with the square of the
 * brackets, delimiters and lines in one paragraph, and of the containers and blocks in one text; the factors were measured.
 */
const perRawLine = 2e-3;
const perLine = 3e-2;
const perBar = 2e-2;
const perBracket = 1.2e-2;
const perActive = 2e-3;
const perActiveSquared = 6e-5;
const perMarker = 2e-2;
const perMarkerSquared = 4e-6;
const perQuoteSquared = 2.5e-4;
const perLineAndWord = 3e-6;

/** Containers nested deeper than this in one line are beyond what recursion over them can take. */
const DEEPEST_LINE = 300;

const active = /[\]*_~`<$:&@]|\w\./g;
const blank = /^[ \t]*$/;
const bar = /\|/g;
const bracket = /\[/g;
const word = /\w+/g;
/** Lines that begin a paragraph, or what is none, wherever they stand. */
const beginning = /^[ \t]*(?:[-+*][ \t]+[^ \t]|#{1,6}[ \t])/;
const numbered = /^[ \t]*\d{1,9}[.)][ \t]+[^ \t]/;
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;
const quoteOrUnderline = /^[ \t]*(?:>|[-=]+[ \t]*$)/;

export function costOf(lines: readonly SourceLine[]): number {
  let markers = 0;
  let quotes = 0;
  let inParagraph = 0;
  let words = 0;
  let inList = false;
  let afterBlank = true;
  let cost = 0;
  for (const { text, isRaw } of lines) {
    cost += isRaw ? perRawLine : perLine;
    if (isRaw) continue;
    const depth = depthOf(text);
    if (depth > DEEPEST_LINE) return Number.POSITIVE_INFINITY;
    markers += depth;
    if (quoteOrUnderline.test(text)) quotes += 1;
    if (afterBlank) inList = numbered.test(text);
    afterBlank = blank.test(text);
    const count = countOf(active, text);
    const bars = countOf(bar, text);
    // Rows of tables are not one paragraph: each cell is read for itself. Nor are the items of a list.
    const isNew = afterBlank || bars > 0 || beginning.test(text) || (inList && numbered.test(text));
    const before = isNew ? 0 : inParagraph;
    inParagraph = before + count;
    cost += bars * perBar + countOf(bracket, text) * perBracket + count * perActive;
    cost += (inParagraph ** 2 - before ** 2) * perActiveSquared;
    words = (isNew ? 0 : words) + countOf(word, text) + 1;
    // Each further line moves all that stands in the paragraph.
    cost += words * perLineAndWord;
  }
  return cost + markers * perMarker + markers ** 2 * perMarkerSquared + quotes ** 2 * perQuoteSquared;
}

function countOf(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  let count = 0;
  while (pattern.test(text)) count += 1;
  return count;
}

/** Containers that the line opens or, by its indentation, may be in. */
function depthOf(text: string): number {
  let depth = 0;
  container.lastIndex = 0;
  let end = 0;
  while (container.test(text)) {
    depth += 1;
    end = container.lastIndex;
  }
  container.lastIndex = end;
  const indentation = /^[ \t]*/.exec(text)?.[0].length ?? 0;
  return depth + Math.floor(indentation / 4);
}
