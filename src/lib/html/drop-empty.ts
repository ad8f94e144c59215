import type { Element, ElementContent, Parents, RootContent } from 'hast';
import { attribute, isElement } from './elements.ts';

/** Inline elements that show nothing without content. */
const INLINE = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
);

/** Number of anchors without content in a row that are kept. */
const MAX_ANCHORS = 100;

/**
 * Removes inline elements without content, such as the marks of lines in code, and joins the text around them: the time
 * that `hast-util-to-mdast` takes grows with the square of their number. Some anchors in a row stay.
 */
export function dropEmpty(parent: Parents): void {
  const result: (ElementContent | RootContent)[] = [];
  let anchors = 0;
  for (const child of parent.children) {
    if ('children' in child) dropEmpty(child);
    const last = result.at(-1);
    if (child.type === 'text' && last?.type === 'text') last.value += child.value;
    else if (!isElement(child) || !isEmpty(child)) {
      result.push(child);
      if (child.type !== 'text' || child.value.trim() !== '') anchors = 0;
    } else if (isAnchor(child) && ++anchors <= MAX_ANCHORS) result.push(child);
  }
  parent.children = result as ElementContent[] & RootContent[]; // some of them
}

const isEmpty = ({ tagName, children }: Element) => children.length === 0 && INLINE.has(tagName);

/** An anchor, or the mark of a footnote, which `dialectHandlers` prints. */
const isAnchor = (element: Element) =>
  element.tagName === 'a' &&
  ((attribute(element, 'id') ?? attribute(element, 'name')) !== undefined ||
    attribute(element, 'href')?.startsWith('#footnote-') === true);
