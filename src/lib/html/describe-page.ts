import type { Element, Root } from 'hast';
import { select } from 'hast-util-select';
import { attribute, elementsIn, prune, textOf } from './elements.ts';

/** What a page says of itself. */
export interface PageNames {
  title: string;
  description?: string;
}

/** The names of a page, read before anything is taken out of it. */
export function namesIn(root: Root): { head: string; site?: string; description?: string } {
  const site = metaOf(root, 'og:site_name');
  const description = metaOf(root, 'description') ?? metaOf(root, 'og:description');
  const shown = select('#title-text', root);
  const title = select('title', root);
  const head = (shown && textOf(shown)) || metaOf(root, 'og:title') || (title ? textOf(title) : '');
  return { head, ...(site === undefined ? {} : { site }), ...(description === undefined ? {} : { description }) };
}

function metaOf(root: Root, name: string): string | undefined {
  const found = select(`meta[name="${name}"], meta[property="${name}"]`, root);
  return found && attribute(found, 'content');
}

/** The title of a page: its first heading, which is taken out of the content, or what its head says. */
export function takeTitle(
  content: Element | Root,
  { head, site }: ReturnType<typeof namesIn>,
  isConfluence: boolean,
): string {
  if (isConfluence) return head.includes(' : ') ? head.slice(head.indexOf(' : ') + 3) : head;
  const [first] = elementsIn(content, ({ tagName }) => tagName === 'h1');
  const title = first && textOf(first);
  if (!first || !title) return withoutSite(head, site);
  prune(content, (element) => element !== first);
  return title;
}

/** "Install | Acme Docs" without the name of the site, where the page says what that is. */
function withoutSite(head: string, site: string | undefined): string {
  if (site === undefined || !head.endsWith(site) || head === site) return head;
  const name = head.slice(0, -site.length).trimEnd();
  return /[|·•:\u2013\u2014-]$/u.test(name) ? name.slice(0, -1).trimEnd() : name;
}
