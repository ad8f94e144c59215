import type { Element, ElementContent, Root } from 'hast';
import { descendantElements, isElement } from './elements.ts';

const LISTS = new Set(['ul', 'ol', 'menu', 'dir']);

/** Moves what stands in lists outside of their items, as editors nest lists, into the item before it. */
export function tidyLists(content: Element | Root): void {
  for (const list of descendantElements(content, ({ tagName }) => LISTS.has(tagName))) {
    const items: ElementContent[] = [];
    let item: Element | undefined;
    for (const child of list.children) {
      if (isElement(child) && child.tagName === 'li') item = child;
      else if (item && isElement(child)) {
        item.children.push(child);
        continue;
      }
      items.push(child);
    }
    list.children = items;
  }
}
