import type { Element, Root } from 'hast';
import { attribute, descendantElements, elementText, isElement } from '../html/elements.ts';
import { HtmlError, parseHtml } from '../html/parse-html.ts';
import type { SummaryItem } from '../repository/summary.ts';

/**
 * The page tree in the `index.html` of a Confluence export; undefined if the text is not such an index. URLs are
 * relative to the index.
 */
export function confluenceContents(index: string): SummaryItem[] | undefined {
  try {
    const lists = topLists(parseHtml(index)).filter((list) => linksIn(list).length > 0);
    const items = lists.flatMap(itemsOf);
    return items.length === 0 ? undefined : items;
  } catch (error) {
    if (!(error instanceof HtmlError)) throw error;
    return undefined;
  }
}

const isList = ({ tagName }: Element) => tagName === 'ul' || tagName === 'ol';

function topLists(node: Root | Element): Element[] {
  return node.children.flatMap((child) => {
    if (!isElement(child)) return [];
    return isList(child) ? [child] : topLists(child);
  });
}

const linksIn = (node: Element) =>
  descendantElements(
    node,
    (element) => element.tagName === 'a' && /\.html(?:#|$)/i.test(attribute(element, 'href') ?? ''),
  );

function itemsOf(list: Element): SummaryItem[] {
  return list.children.flatMap((child): SummaryItem[] => {
    if (!isElement(child)) return [];
    const children = child.children.filter(isElement).filter(isList).flatMap(itemsOf);
    const own = { ...child, children: child.children.filter((inner) => !(isElement(inner) && isList(inner))) };
    const [link] = linksIn(own);
    const url = link && attribute(link, 'href');
    if (!link || url === undefined) return children;
    return [{ title: elementText(link), url, isHeading: false, line: child.position?.start.line ?? 1, children }];
  });
}

/** Whether an `index.html` is the index of an HTML export from Confluence. */
export const isConfluenceIndex = (index: string): boolean =>
  index.includes('Available Pages:') ||
  index.matchAll(/class="([^"]*)/g).some(([, names = '']) => /\b(?:pageSection|wiki-content)\b/.test(names));
