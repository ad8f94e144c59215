import type { RootContent } from 'mdast';
import type { Mark, Phrasing } from '../../document.ts';
import type { Item } from './item.ts';
import type { ReadContext } from './read-context.ts';

/** The state of reading a line of text. */
export interface LineState {
  ctx: ReadContext;
  /** Depth of the line's block in the document. */
  depth: number;
  /** The enclosing marks. */
  marks: readonly Mark[];
  /** Reads the content, with an additional mark if one is given. */
  items(items: readonly Item[], mark?: Mark): Phrasing[];
  nodes(nodes: readonly RootContent[], mark?: Mark): Phrasing[];
}

/** The mark types without data. */
export type PlainMarkType = Exclude<Mark['type'], 'color'>;

export function mark(type: PlainMarkType): Mark {
  return { object: 'mark', type };
}
