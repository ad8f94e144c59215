import type { Block } from '../document.ts';
import type { MarkupElement } from './read/item.ts';
import { writeAttribute } from './write/write-image-tag.ts';

/** The anchor of an empty `<a id="…"></a>`, if the element is one. */
export function anchorSetBy(element: MarkupElement): string | undefined {
  if (element.name !== 'a' || element.items.length > 0) return undefined;
  const id = element.attributes.get('id') ?? element.attributes.get('name');
  const href = element.attributes.get('href');
  return id && (href === undefined || href === `#${id}`) ? id : undefined;
}

/** Empty elements with the anchors of a block, for the start of its line or a line of their own. */
export const writeAnchors = ({ anchors = [] }: Pick<Block, 'anchors'>): string =>
  anchors.map((anchor) => `<a${writeAttribute('id', anchor)}></a>`).join('');
