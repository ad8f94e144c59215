import type { Element, ElementContent, Nodes, Parents, RootContent } from 'hast';

export const isElement = (node: Nodes | undefined): node is Element => node?.type === 'element';

/** An attribute as a string; undefined if it is absent or empty. */
export function attribute(element: Element, name: string): string | undefined {
  const value = element.properties[name];
  const text = Array.isArray(value) ? value.join(' ') : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

export const classesOf = ({ properties: { className } }: Element): string[] =>
  Array.isArray(className) ? className.map(String) : [];

/** The text of a node, with whitespace collapsed. */
export const textOf = (node: Nodes): string => rawText(node).replace(/\s+/g, ' ').trim();

function rawText(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(rawText).join('') : '';
}

/** The descendant elements that match `wanted`, in document order. */
export function elementsIn(node: Nodes, wanted: (element: Element) => boolean): Element[] {
  if (!('children' in node)) return [];
  return node.children.flatMap((child) =>
    isElement(child) ? [...(wanted(child) ? [child] : []), ...elementsIn(child, wanted)] : [],
  );
}

/** Removes the descendant elements that `keeps` rejects. */
export function prune(parent: Parents, keeps: (element: Element) => boolean): void {
  const kept = parent.children.filter((child) => !isElement(child) || keeps(child));
  // Filtering does not change the types of children.
  parent.children = kept as ElementContent[] & RootContent[];
  for (const child of kept) if (isElement(child)) prune(child, keeps);
}
