import { withLineFeeds } from './entities.ts';
import { costOf } from './source-cost.ts';
import { type SourceLine, sourceLines } from './source-lines.ts';

/** A part of a source that is parsed for itself, or too much to be parsed. */
export interface Segment {
  text: string;
  /** How many lines stand before it. */
  before: number;
  isVerbatim: boolean;
}

/** Texts up to this length are one segment unless they are costly. */
const SMALL = 16_384;
/** Larger ones are cut where they can be, after so many characters: cost grows faster than length. */
const ENOUGH = 4096;
/** Estimated milliseconds that one segment, and all together, may take. */
const MOST_FOR_ONE = 2500;
const MOST_FOR_ALL = 5000;

/**
 * A source in parts whose parsing takes bounded time, at most some seconds for a megabyte. What would take longer is
 * to be kept as it was written. Line ends, byte order mark and lone surrogates are tidied.
 */
export function segmentsOf(markdown: string): Segment[] {
  const lines = sourceLines(withLineFeeds(markdown.replace(/^\ufeff/, '')).toWellFormed());
  const isSmall = markdown.length <= SMALL && costOf(lines) <= MOST_FOR_ONE / 20;
  let before = 0;
  let spent = 0;
  return (isSmall ? [lines] : grouped(lines)).map((group) => {
    const cost = costOf(group);
    const isVerbatim = cost > MOST_FOR_ONE || spent + cost > MOST_FOR_ALL;
    if (!isVerbatim) spent += cost;
    const text = group.map((line) => (isVerbatim ? line.text : (line.parsed ?? line.text))).join('\n');
    before += group.length;
    return { text, before: before - group.length, isVerbatim };
  });
}

/** Parts that can be cut apart, joined to some size; a costly one stays alone, not to draw others with it. */
function grouped(lines: readonly SourceLine[]): SourceLine[][] {
  const groups: SourceLine[][] = [];
  let length = ENOUGH;
  for (const part of partsOf(lines)) {
    const isCostly = costOf(part) > MOST_FOR_ONE / 20;
    const last = groups.at(-1);
    if (last && !isCostly && length < ENOUGH) for (const line of part) last.push(line);
    else {
      groups.push([...part]);
      length = 0;
    }
    length += isCostly ? ENOUGH : part.reduce((sum, { text }) => sum + text.length + 1, 0);
  }
  return groups;
}

function partsOf(lines: readonly SourceLine[]): SourceLine[][] {
  const parts: SourceLine[][] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last && !line.isCut) last.push(line);
    else parts.push([line]);
  }
  return parts;
}
