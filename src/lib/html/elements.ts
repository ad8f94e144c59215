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

/** Elements that browsers show on lines of their own, and frames and videos, which are blocks in Markdown here. */
const BLOCKS = new Set(
  (
    'address article aside blockquote caption center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup hr iframe legend li listing main menu multicol nav ol p plaintext pre section summary table tbody ' +
    'td tfoot th thead tr ul video xmp'
  ).split(' '),
);

export const isBlock = ({ tagName }: Element): boolean => BLOCKS.has(tagName);

const cache = new WeakMap<Element, boolean>();

/** Whether a node is a block or has one in it. The result is kept: blocks are not added to elements later. */
export function holdsBlock(node: Nodes): boolean {
  if (!isElement(node)) return false;
  if (isBlock(node)) return true;
  const result = cache.get(node) ?? node.children.some(holdsBlock);
  cache.set(node, result);
  return result;
}

/** The text of a node, with whitespace collapsed. Words of different blocks and lines are apart. */
export const elementText = (node: Nodes): string => rawText(node).replace(/\s+/g, ' ').trim();

function rawText(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (!('children' in node)) return '';
  const text = node.children.map(rawText).join('');
  return isElement(node) && (node.tagName === 'br' || isBlock(node)) ? ` ${text} ` : text;
}

/** The descendant elements that satisfy `isMatch`, in document order. */
export function descendantElements(node: Nodes, isMatch: (element: Element) => boolean): Element[] {
  if (!('children' in node)) return [];
  return node.children.flatMap((child) =>
    isElement(child) ? [...(isMatch(child) ? [child] : []), ...descendantElements(child, isMatch)] : [],
  );
}

/** Removes the descendant elements that `keeps` rejects. */
export function prune(parent: Parents, keeps: (element: Element) => boolean): void {
  const remaining = parent.children.filter((child) => !isElement(child) || keeps(child));
  // Filtering does not change the types of children.
  parent.children = remaining as ElementContent[] & RootContent[];
  for (const child of remaining) if (isElement(child)) prune(child, keeps);
}
