import { withLineFeeds } from '../entities.ts';
import { costOf } from './source-cost.ts';
import { type SourceLine, sourceLines } from './source-lines.ts';

/** A part of a source that is parsed on its own, or is too complex to be parsed. */
export interface SourceSegment {
  lines: readonly SourceLine[];
  /** Number of lines before it. */
  before: number;
  isVerbatim: boolean;
}

/** Texts up to this length are one segment unless they are expensive. */
const MAX_UNSPLIT_CHARACTERS = 16_384;
/** Longer texts are split after this number of characters, because the cost grows faster than the length. */
const MIN_SEGMENT_CHARACTERS = 4096;
/** Quotations count as so many characters more, because the cost grows with the square of their number. */
const CHARACTERS_PER_QUOTE = 250;
/** Estimated time limits in milliseconds for one segment, and for all segments together. */
const MAX_SEGMENT_MS = 2500;
const MAX_TOTAL_MS = 5000;
/** Estimated milliseconds from which a part is a segment of its own. */
const MIN_COSTLY_MS = MAX_SEGMENT_MS / 20;

const isQuote = /^[ \t]*>/;

/**
 * Splits a source into parts that take a bounded time to parse, a few seconds per megabyte at most. Parts that would
 * take longer are to be kept as they were written. Normalizes line ends, and removes byte order marks and lone
 * surrogates.
 */
export function splitIntoSegments(markdown: string): SourceSegment[] {
  const lines = sourceLines(withLineFeeds(markdown.replace(/^\ufeff/, '')).toWellFormed());
  const small = markdown.length <= MAX_UNSPLIT_CHARACTERS ? costOf(lines) : Number.POSITIVE_INFINITY;
  let before = 0;
  let spent = 0;
  return (small <= MIN_COSTLY_MS ? [{ lines, cost: small }] : grouped(lines)).map((group) => {
    const cost = group.cost ?? costOf(group.lines);
    const isVerbatim = cost > MAX_SEGMENT_MS || spent + cost > MAX_TOTAL_MS;
    if (!isVerbatim) spent += cost;
    before += group.lines.length;
    return { lines: group.lines, before: before - group.lines.length, isVerbatim };
  });
}

interface Group {
  lines: SourceLine[];
  /** Undefined if it has to be computed. */
  cost: number | undefined;
}

/** Joins parts up to a size. Expensive parts stay separate, so that others are parsed. */
function grouped(lines: readonly SourceLine[]): Group[] {
  const groups: Group[] = [];
  let length = MIN_SEGMENT_CHARACTERS;
  for (const part of blockParts(lines)) {
    const cost = costOf(part);
    const isCostly = cost > MIN_COSTLY_MS;
    const last = groups.at(-1);
    if (last && !isCostly && length < MIN_SEGMENT_CHARACTERS) {
      for (const line of part) last.lines.push(line);
      last.cost = undefined;
    } else {
      groups.push({ lines: [...part], cost });
      length = 0;
    }
    length += isCostly ? MIN_SEGMENT_CHARACTERS : lengthOf(part);
  }
  return groups;
}

const lengthOf = (part: readonly SourceLine[]): number =>
  part.reduce((sum, { text }) => sum + text.length + 1 + (isQuote.test(text) ? CHARACTERS_PER_QUOTE : 0), 0);

/** Parts that each start with a new block. */
export function blockParts(lines: readonly SourceLine[]): SourceLine[][] {
  const parts: SourceLine[][] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last && !line.isCut) last.push(line);
    else parts.push([line]);
  }
  return parts;
}
