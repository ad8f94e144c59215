import type { Element, Root, RootContent } from 'hast';

/** The elements directly below. */
export function elementsIn(parent: Root | Element): Element[] {
  const children: readonly RootContent[] = parent.children;
  return children.filter((child): child is Element => child.type === 'element');
}
