import type { Element } from './item.ts';

/** The anchor of an empty `<a id="…"></a>`, if the element is one. */
export function anchorSetBy(element: Element): string | undefined {
  if (element.name !== 'a' || element.items.length > 0) return undefined;
  const id = element.attributes.get('id') ?? element.attributes.get('name');
  const href = element.attributes.get('href');
  return id && (href === undefined || href === `#${id}`) ? id : undefined;
}
