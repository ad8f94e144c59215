import type { ContentRef } from '../../content-ref.ts';
import type { Block } from '../../document.ts';
import { isList } from '../write/write-list.ts';
import type { Piece } from './join-pieces.ts';
import { meaningOf } from './meaning.ts';
import { type Meant, pairByMeaning } from './pair-by-meaning.ts';
import { patchLines } from './patch-lines.ts';
import { type PatchInside, patchList } from './patch-list.ts';
import { patchPanel } from './patch-panel.ts';
import { patchWords, type WordPrinting } from './patch-words.ts';
import { apartFrom, type BlockPrinting, printBlock, printPlainly } from './print-block.ts';
import { relink } from './relink.ts';
import type { SourceUnit, SourceUnits } from './source-units.ts';

/** State of patching a text. */
export interface Patching extends WordPrinting {
  /** The URL to print for a reference, given the URL that is in its place. */
  urlFor(ref: ContentRef, before: ContentRef): { before: string; after: string };
  /** Blocks that were read back differently, and are printed plainly. */
  isPlain(block: Block): boolean;
  inside: PatchInside;
}

/** A block of the source with its place. */
interface Placed extends Meant {
  unit: number;
  /** Place among the blocks of its unit. */
  at: number;
}

/** The pieces of a text for these blocks: units of the source as they were written, and newly printed blocks. */
export function patchBlocks(source: SourceUnits, blocks: readonly Block[], patching: Patching): Piece[] {
  const previous = source.units.flatMap((unit, i): Placed[] =>
    unit.blocks.map((block, at) => ({ block, meaning: meaningOf(block), unit: i, at })),
  );
  const next = blocks.map((block): Meant => ({ block, meaning: meaningOf(block) }));
  const partners = pairByMeaning(previous, next);
  const pieces: Piece[] = [];
  for (let i = 0; i < next.length; ) {
    const partner = previous[partners[i] ?? -1];
    const unit = partner && source.units[partner.unit];
    const unitText =
      partner?.at === 0 && unit
        ? keptText({ unit, from: partners[i] ?? 0, at: i }, { previous, next, partners }, patching)
        : undefined;
    if (unitText !== undefined && partner && unit) {
      pieces.push({ text: unitText, unit: partner.unit });
      i += unit.blocks.length;
      continue;
    }
    const neighbours = [pieces.at(-1)?.text, source.units[previous[partners[i + 1] ?? -1]?.unit ?? -1]?.text];
    const adjacentLists = neighbours.map((text, side) => (isList(blocks[i - 1 + 2 * side]) ? text : undefined));
    const block = blocks[i] as Block; // `i` is in range
    pieces.push({
      text: printed(source, unit, block, adjacentLists, patching),
      ...(partner && { unit: partner.unit }),
      isNew: true,
    });
    i += 1;
  }
  return pieces;
}

interface Alignment {
  previous: readonly Placed[];
  next: readonly Meant[];
  partners: readonly number[];
}

/** The text of a unit whose blocks are all adjacent, apart from the targets of links. */
function keptText(
  { unit, from, at }: { unit: SourceUnit; from: number; at: number },
  { previous, next, partners }: Alignment,
  patching: Patching,
): string | undefined {
  const urls = new Map<string, string>();
  for (let i = 0; i < unit.blocks.length; i++) {
    const [before, after] = [previous[from + i], next[at + i]];
    if (!before || !after || partners[at + i] !== from + i || patching.isPlain(after.block)) return undefined;
    if (before.meaning.besidesLinks !== after.meaning.besidesLinks) return undefined;
    for (const [j, ref] of after.meaning.refs.entries()) {
      const url = patching.urlFor(ref, before.meaning.refs[j] ?? ref);
      if ((urls.get(url.before) ?? url.after) !== url.after) return undefined;
      urls.set(url.before, url.after);
    }
  }
  const changed = new Map([...urls].filter(([before, after]) => before !== after));
  return changed.size === 0 ? unit.text : relink(unit.text, changed);
}

function printed(
  source: SourceUnits,
  unit: SourceUnit | undefined,
  block: Block,
  adjacentLists: readonly (string | undefined)[],
  patching: Patching,
): string {
  const style = isList(block) ? apartFrom(patching.style, adjacentLists) : patching.style;
  if (patching.isPlain(block)) return printPlainly(block, patching, apartFrom({}, adjacentLists));
  const printing = { ...patching, style };
  const [previous, ...others] = unit?.blocks ?? [];
  if (!unit || !previous || others.length > 0 || previous.type !== block.type) return printBlock(block, printing);
  return (
    patchList(source, unit, block, patching.inside) ??
    patchPanel(source, unit, block, patching.inside, (each) => printBlock(each, printing)) ??
    patchLines(unit.text, previous, block, printing) ??
    patchWords(unit.text, previous, block, printing) ??
    belowItsAnchors(unit.text, block, printing) ??
    printBlock(block, printing, unit.text)
  );
}

/** A block below the lines of its first anchors, as they were written. Undefined if the text has no such lines. */
function belowItsAnchors(text: string, block: Block, printing: BlockPrinting): string | undefined {
  const [lines] = ANCHOR_LINES.exec(text) ?? [];
  if (lines === undefined || !lines.endsWith('\n')) return undefined;
  const writtenAnchors = [...lines.matchAll(ANCHOR)].map(([, anchor]) => anchor);
  const { anchors = [], ...rest } = block;
  if (writtenAnchors.some((anchor, i) => anchor !== anchors[i])) return undefined;
  const others = anchors.slice(writtenAnchors.length);
  const below = { ...rest, ...(others.length > 0 && { anchors: others }) } as Block;
  return lines + printBlock(below, printing, text.slice(lines.length));
}

const ANCHOR = /<a (?:id|name)="([^"<>&]+)"><\/a>/g;
const ANCHOR_LINES = /^(?:<a (?:id|name)="[^"<>&]+"><\/a>\s*)+/;
