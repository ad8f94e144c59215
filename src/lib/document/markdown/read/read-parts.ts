import type { RootContent } from 'mdast';
import type { Block } from '../../document.ts';
import type { Item } from './item.ts';
import { itemLine, itemsOf } from './items.ts';
import { loneAnchors } from './read-blocks.ts';
import type { ReadContext } from './read-context.ts';

/** Lines of a text that are read together, and the blocks they become. Lines count from 0; `to` is the line after. */
export interface ReadPart {
  from: number;
  to: number;
  items: readonly Item[];
  blocks: Block[];
}

interface Unread {
  from: number;
  to: number;
  items: Item[];
}

/**
 * The top-level nodes of a text as the smallest parts that can be read one after the other. Nodes without items, such
 * as comments, are in no part.
 */
export function readParts(nodes: readonly RootContent[], ctx: ReadContext): ReadPart[] {
  const ends = new Map(nodes.map((node) => [node.position?.start.line ?? 0, node.position?.end.line ?? 0]));
  const parts: Unread[] = [];
  let isAnchor = false;
  for (const item of itemsOf(nodes, ctx.report, true)) {
    const from = itemLine(item) - 1;
    const last = item.kind === 'element' ? item.endLine : from + 1;
    const to = Math.max(ends.get(last) ?? last, ends.get(from + 1) ?? 0);
    const open = parts.at(-1);
    if (open && (isAnchor || from < open.to)) {
      open.items.push(item);
      open.to = Math.max(open.to, to);
    } else parts.push({ from, to, items: [item] });
    isAnchor = loneAnchors(item, ctx) !== undefined;
  }
  if (isAnchor) joinLast(parts);
  return parts.map((part) => ({ ...part, blocks: ctx.blocks(part.items, 1) }));
}

/** Anchors at the end belong to the block before them. */
function joinLast(parts: Unread[]): void {
  const [before, last] = parts.slice(-2);
  if (!before || !last) return;
  before.items.push(...last.items);
  before.to = last.to;
  parts.pop();
}
