import type { Block, JSONDocument } from '../../document.ts';
import { normalizeDocument } from '../../normalize.ts';
import { IN_PAGES } from '../forms.ts';
import type { ParseOptions } from '../parse.ts';
import { meaningOf } from '../patch/meaning.ts';
import { pairByMeaning } from '../patch/pair-by-meaning.ts';
import { readSourceUnits, type SourceUnits } from '../patch/source-units.ts';

/** The lines of a text that a top-level block was read from. */
export interface BlockPlace {
  /** The first line, counted from 0, and the line after the last one. */
  firstLine: number;
  endLine: number;
  /** Offsets of the first character, and of the end of the last line without its line end. */
  from: number;
  to: number;
  /** Place of the block among the blocks of these lines, and their number. */
  at: number;
  count: number;
  /** What the lines are read as, without keys. */
  read: Block;
}

/**
 * The places of the top-level blocks of a document in the Markdown that it is read or printed as. Blocks without lines
 * of their own have none, such as footnotes that nothing refers to.
 */
export function placeBlocks(
  text: string,
  document: JSONDocument,
  resolveLink?: ParseOptions['resolveLink'],
): (BlockPlace | undefined)[] {
  const source = readSourceUnits(text, { ...IN_PAGES, ...(resolveLink && { resolveLink }) });
  const places = placesIn(text, source);
  const { nodes } = document;
  const normal = normalizeDocument(document).nodes;
  const isComplete = places.length + source.unused.length === nodes.length && normal.length === nodes.length;
  if (isComplete) return nodes.map((_, i) => places[i]);
  const withMeaning = (block: Block) => ({ block, meaning: meaningOf(block) });
  const partners = pairByMeaning(
    places.map(({ read }) => withMeaning(read)),
    normal.map(withMeaning),
  );
  const byKey = new Map(normal.map((node, i) => [node.key, places[partners[i] ?? -1]]));
  return nodes.map(({ key }) => (key === undefined ? undefined : byKey.get(key)));
}

function placesIn(text: string, { units, lines }: SourceUnits): BlockPlace[] {
  const starts = [text.startsWith('\ufeff') ? 1 : 0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return units.flatMap((unit) => {
    const from = starts[unit.from] ?? 0;
    const lineRange = { firstLine: unit.from, endLine: unit.to, from, to: from + unit.text.length };
    return unit.blocks.map((read, at) => ({ ...lineRange, at, count: unit.blocks.length, read }));
  });
}
