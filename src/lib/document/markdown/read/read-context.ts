import type { Definition, FootnoteDefinition, RootContent } from 'mdast';
import type { ContentRef, MediaRef } from '../../content-ref.ts';
import type { Block, Inline, Length, Phrasing } from '../../document.ts';
import type { TopHeading } from '../forms.ts';
import type { Item } from './item.ts';
import type { Report } from './report.ts';

export type LinkKind = 'link' | 'image' | 'file' | 'content-ref' | 'include';

/** State for reading a Markdown text. Depths count nodes of the document, starting at 1 for its blocks. */
export interface ReadContext {
  report: Report;
  refOf(url: string, kind: LinkKind): ContentRef;
  mediaOf(url: string): MediaRef;
  definitions: ReadonlyMap<string, Definition>;
  footnotes: ReadonlyMap<string, FootnoteDefinition>;
  /** Footnotes that were read, or are being read. */
  shownFootnotes: Set<string>;
  openFootnotes: Set<string>;
  /** Number of characters that repeated definitions and footnotes may still add. */
  budget: number;
  /** Images that stay in their paragraph even if they are its only content. */
  keptInline: WeakSet<Inline>;
  /** Sizes of HTML images. Image blocks have sizes, inlines do not. */
  imageLengths: WeakMap<Inline, { width?: Length; height?: Length }>;
  /** Anchors of the line that is being read, for the block that it belongs to. */
  anchors: string[];
  /** The lines of the Markdown. */
  lines: readonly string[];
  topHeading: TopHeading;
  /** Blocks for sibling items, of any type. The parent fits them. */
  blocks(items: readonly Item[], depth: number): Block[];
  /** The same for sibling nodes. */
  blocksOf(nodes: readonly RootContent[], depth: number): Block[];
  /** A line of text whose block is at this depth. */
  line(items: readonly Item[], depth: number): Phrasing[];
  lineOf(nodes: readonly RootContent[], depth: number): Phrasing[];
}

/** Longer anchors, and further ones of a block, are left out. */
const MAX_ANCHOR_CHARACTERS = 200;
const MAX_ANCHORS = 100;

/** The blocks that `read` returns. The first gets the anchors in their lines, and those `before` them. */
export function readWithAnchors(ctx: ReadContext, before: readonly string[], read: () => Block[]): Block[] {
  const outer = ctx.anchors;
  ctx.anchors = [];
  const [first, ...others] = read();
  const anchors = [...before, ...ctx.anchors].filter((anchor) => anchor.length <= MAX_ANCHOR_CHARACTERS);
  ctx.anchors = outer;
  if (first) return [withAnchors(first, anchors), ...others];
  for (const anchor of anchors) outer.push(anchor);
  return [];
}

export function withAnchors(node: Block, anchors: readonly string[]): Block {
  const all = [...new Set([...(node.anchors ?? []), ...anchors])];
  return all.length > 0 ? { ...node, anchors: all.slice(0, MAX_ANCHORS) } : node;
}

/** Takes from the budget. Returns false and takes nothing if too little is left. */
export function spend(ctx: ReadContext, characters: number): boolean {
  if (characters > ctx.budget) return false;
  ctx.budget -= characters;
  return true;
}
