import type { Element, Root, RootContent } from 'hast';

/** The child elements. */
export function childElements(parent: Root | Element): Element[] {
  const children: readonly RootContent[] = parent.children;
  return children.filter((child): child is Element => child.type === 'element');
}
