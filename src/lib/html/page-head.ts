import type { Element, Root } from 'hast';
import { select } from 'hast-util-select';
import { attribute, descendantElements, elementText } from './elements.ts';

/** The title, site name and description in the head of a page. */
export function namesIn(root: Root): { head: string; site?: string; description?: string } {
  const site = metaOf(root, 'og:site_name');
  const description = metaOf(root, 'description') ?? metaOf(root, 'og:description');
  const heading = select('#title-text', root);
  const title = select('title', root);
  const head = (heading && elementText(heading)) || metaOf(root, 'og:title') || (title ? elementText(title) : '');
  return { head, ...(site === undefined ? {} : { site }), ...(description === undefined ? {} : { description }) };
}

function metaOf(root: Root, name: string): string | undefined {
  const meta = select(`meta[name="${name}"], meta[property="${name}"]`, root);
  return meta && attribute(meta, 'content');
}

/**
 * Removes and returns the title of a page: its first heading, which becomes an empty block, or the title in its head.
 */
export function removeTitle(
  content: Element | Root,
  { head, site }: ReturnType<typeof namesIn>,
  isConfluence: boolean,
): string {
  if (isConfluence) return head.includes(' : ') ? head.slice(head.indexOf(' : ') + 3) : head;
  const [first] = descendantElements(content, ({ tagName }) => tagName === 'h1');
  const title = first && elementText(first);
  if (!first || !title) return withoutSite(head, site);
  Object.assign(first, { tagName: 'div', properties: {}, children: [] });
  return title;
}

/** Removes the name of the site from titles such as "Install | Acme Docs". */
function withoutSite(head: string, site: string | undefined): string {
  if (site === undefined || !head.endsWith(site) || head === site) return head;
  const name = head.slice(0, -site.length).trimEnd();
  return /[|·•:\u2013\u2014-]$/u.test(name) ? name.slice(0, -1).trimEnd() : name;
}
