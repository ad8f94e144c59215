import type { Definition, FootnoteDefinition, RootContent } from 'mdast';
import type { ContentRef, MediaRef } from '../content-ref.ts';
import type { Block, Inline, Length, Phrasing } from '../document.ts';
import type { Item } from './item.ts';
import type { Report } from './report.ts';

export type LinkKind = 'link' | 'image' | 'file' | 'content-ref';

/** What reading one Markdown text needs at every place. Depths count nodes of the document, its blocks being at 1. */
export interface ReadContext {
  report: Report;
  refOf(url: string, kind: LinkKind): ContentRef;
  mediaOf(url: string): MediaRef;
  definitions: ReadonlyMap<string, Definition>;
  footnotes: ReadonlyMap<string, FootnoteDefinition>;
  /** Footnotes that were shown, or are being read. */
  shownFootnotes: Set<string>;
  openFootnotes: Set<string>;
  /** Characters that definitions and footnotes may still add by being repeated. */
  budget: number;
  /** Images that stay inside of their paragraph though nothing else stands there. */
  keptInline: WeakSet<Inline>;
  /** Sizes that HTML gave to images: blocks have them, inlines do not. */
  imageLengths: WeakMap<Inline, { width?: Length; height?: Length }>;
  /** Blocks of sibling items, of any types: the parent fits them. */
  blocks(items: readonly Item[], depth: number): Block[];
  /** Blocks of sibling nodes, likewise. */
  blocksOf(nodes: readonly RootContent[], depth: number): Block[];
  /** A line of text whose block stands at this depth. */
  line(items: readonly Item[], depth: number): Phrasing[];
  lineOf(nodes: readonly RootContent[], depth: number): Phrasing[];
}

/** Takes from the budget; false, and nothing taken, when too little is left. */
export function spend(ctx: ReadContext, characters: number): boolean {
  if (characters > ctx.budget) return false;
  ctx.budget -= characters;
  return true;
}
