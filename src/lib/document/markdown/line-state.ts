import type { RootContent } from 'mdast';
import type { Mark, Phrasing } from '../document.ts';
import type { Item } from './item.ts';
import type { ReadContext } from './read-context.ts';

/** Where reading a line of text stands. */
export interface LineState {
  ctx: ReadContext;
  /** How deep in the document the block of the line is. */
  depth: number;
  /** The marks around. */
  marks: readonly Mark[];
  /** Reads what is inside, with one mark more if one is given. */
  items(items: readonly Item[], mark?: Mark): Phrasing[];
  nodes(nodes: readonly RootContent[], mark?: Mark): Phrasing[];
}

/** The mark types that have no data. */
export type PlainMarkType = Exclude<Mark['type'], 'color'>;

export function mark(type: PlainMarkType): Mark {
  return { object: 'mark', type };
}
