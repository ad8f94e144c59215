import type { SourceLine } from './source-lines.ts';

/**
 * Milliseconds that micromark may need for some lines, estimated from above. Its time grows with the square of the
 * brackets and delimiters in one paragraph, and of the containers and blocks in one text; the factors were measured.
 */
const perFencedLine = 2e-3;
const perLine = 1.5e-2;
const perBar = 2e-2;
const perActive = 2e-3;
const perActiveSquared = 6e-5;
const perMarker = 2e-2;
const perMarkerSquared = 4e-6;
const perQuoteSquared = 1.3e-4;

/** Containers nested deeper than this in one line are beyond what recursion over them can take. */
const DEEPEST_LINE = 300;

const active = /[\]*_~`<$:&@]|\w\./g;
const bar = /\|/g;
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;
const quoteOrUnderline = /^[ \t]*(?:>|[-=]+[ \t]*$)/;

export function costOf(lines: readonly SourceLine[]): number {
  let markers = 0;
  let quotes = 0;
  let inParagraph = 0;
  let cost = 0;
  for (const { text, isFenced } of lines) {
    cost += isFenced ? perFencedLine : perLine;
    if (isFenced) continue;
    const depth = depthOf(text);
    if (depth > DEEPEST_LINE) return Number.POSITIVE_INFINITY;
    markers += depth;
    if (quoteOrUnderline.test(text)) quotes += 1;
    const count = countOf(active, text);
    const bars = countOf(bar, text);
    // Rows of tables are not one paragraph: each cell is read for itself.
    const before = text === '' || bars > 0 ? 0 : inParagraph;
    inParagraph = before + count;
    cost += bars * perBar + count * perActive + (inParagraph ** 2 - before ** 2) * perActiveSquared;
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
