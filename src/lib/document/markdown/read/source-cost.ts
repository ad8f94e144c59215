import { makeContainerCount } from './container-count.ts';
import type { SourceLine } from './source-lines.ts';

/**
 * An upper estimate of the milliseconds that micromark needs for some lines. Its time grows with the square of the
 * brackets, delimiters and lines in a paragraph, and of the containers and blocks in a text. The factors were measured.
 */
const perRawLine = 2e-3;
const perLine = 3e-2;
const perBar = 2e-2;
/** Of one line: the cells of a row are searched for each of them. */
const perBarSquared = 4e-5;
const perBracket = 1.2e-2;
const perActive = 2e-3;
const perActiveSquared = 6e-5;
const perMarker = 2e-2;
const perMarkerSquared = 4e-6;
/** Of lists that start in one line, such as `* - a`. */
const perListInListSquared = 8e-5;
const perQuoteSquared = 2.5e-4;
/** Lines that leave containers: for each, everything read before is copied or searched. */
const perLeavingSquared = 2.5e-4;
/** The tokens after each joined token are moved. */
const perSignAndToken = 2.5e-6;

/** More containers in one line are too deep for recursion. */
const MAX_LINE_DEPTH = 300;

const activeSign = /[\]*_~`<$:&@]|\w\./g;
const blank = /^[ \t]*$/;
const bar = /\|/g;
const bracket = /\[/g;
const word = /\w+/g;
/** Lines that start a paragraph, or are not part of one, in any container. */
const beginning = /^[ \t]*(?:[-+*][ \t]+[^ \t]|#{1,6}[ \t])/;
const numbered = /^[ \t]*\d{1,9}[.)][ \t]+[^ \t]/;
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;
const listInList = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]+(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
const tableRule = /^[ \t>]*(?:\|[ \t]*)?:?-[-:| \t]*$/;
const quoteOrUnderline = /^[ \t]*(?:>|[-=]+[ \t]*$)/;

/** Counts for the paragraph that a line belongs to. */
interface Paragraph {
  active: number;
  /** Words and punctuation. Each is initially at least one token. */
  tokens: number;
  /** Punctuation and line ends, which separate the tokens that are joined. */
  signs: number;
}

const none: Paragraph = { active: 0, tokens: 0, signs: 0 };

export function costOf(lines: readonly SourceLine[]): number {
  let markers = 0;
  let listsInLists = 0;
  let quotes = 0;
  let paragraph = none;
  let inList = false;
  let inTable = false;
  let afterBlank = true;
  let cost = 0;
  const leaving = makeContainerCount();
  for (const line of lines) {
    const { text, isRaw } = line;
    cost += isRaw ? perRawLine : perLine;
    leaving.take(line);
    if (isRaw) continue;
    const depth = depthOf(text);
    if (depth > MAX_LINE_DEPTH) return Number.POSITIVE_INFINITY;
    markers += depth;
    if (listInList.test(text)) listsInLists += depth;
    if (quoteOrUnderline.test(text)) quotes += 1;
    if (afterBlank) inList = numbered.test(text);
    afterBlank = blank.test(text);
    inTable = !afterBlank && (inTable || tableRule.test(text));
    // Rows of tables and items of lists are not one paragraph: each cell and item is parsed on its own.
    const isNew = afterBlank || inTable || beginning.test(text) || (inList && numbered.test(text));
    const before = isNew ? none : paragraph;
    paragraph = withLine(before, text);
    cost += costOfLine(text) + costOfParagraph(paragraph) - costOfParagraph(before);
  }
  const squares = markers ** 2 * perMarkerSquared + listsInLists ** 2 * perListInListSquared;
  return cost + markers * perMarker + squares + quotes ** 2 * perQuoteSquared + leaving.count ** 2 * perLeavingSquared;
}

function withLine({ active, tokens, signs }: Paragraph, text: string): Paragraph {
  const more = countOf(activeSign, text);
  const others = countOf(bracket, text) + countOf(bar, text) + 1;
  return { active: active + more, tokens: tokens + countOf(word, text) + more + others, signs: signs + more + others };
}

function costOfLine(text: string): number {
  const bars = countOf(bar, text);
  return bars * perBar + bars ** 2 * perBarSquared + countOf(bracket, text) * perBracket;
}

const costOfParagraph = ({ active, tokens, signs }: Paragraph): number =>
  active * perActive + active ** 2 * perActiveSquared + signs * tokens * perSignAndToken;

function countOf(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  let count = 0;
  while (pattern.test(text)) count += 1;
  return count;
}

/** Containers that the line opens, or may be in because of its indentation. */
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
