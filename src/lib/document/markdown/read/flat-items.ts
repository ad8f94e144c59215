import { isBlockElement } from './html-names.ts';
import type { Item } from './item.ts';
import { itemLine, itemsOf } from './items.ts';
import type { Report } from './report.ts';

/**
 * The descendant blocks without the containers around them, in reading order. Not recursive, so it handles any depth.
 */
export function flatItems(items: readonly Item[], report: Report): Item[] {
  const flat: Item[] = [];
  const pending = [...items].reverse();
  for (let item = pending.pop(); item; item = pending.pop()) {
    const inside = contentOf(item, report);
    if (!inside) {
      flat.push(item);
      continue;
    }
    report(itemLine(item), 'Nested too deeply. Only the content is kept.');
    for (let i = inside.length - 1; i >= 0; i--) {
      const child = inside[i];
      if (child) pending.push(child);
    }
  }
  return flat;
}

function contentOf(item: Item, report: Report): Item[] | undefined {
  if (item.kind === 'element') return isBlockElement(item) ? item.items : undefined;
  if (item.kind === 'text') return undefined;
  const { node } = item;
  const isContainer = node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem';
  return isContainer ? itemsOf(node.children, report, true) : undefined;
}
