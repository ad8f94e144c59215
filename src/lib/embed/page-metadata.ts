import type { Element, Root } from 'hast';
import { HtmlError, parseHtml } from '../html/parse-html.ts';
import { childElements } from './child-elements.ts';

/** Metadata of a page. The values are not validated. */
export interface PageMetadata {
  title?: string;
  site?: string;
  icon?: string;
  /** URL of the oEmbed endpoint (oEmbed 1.0, section 4, "Discovery"). */
  oembed?: string;
}

/**
 * Code units of a page that are parsed. Metadata comes first in a page.
 */
export const MAX_HEAD = 32_000;

/** Reads the head of a page. Open Graph properties take precedence over those of HTML. */
export function pageMetadata(html: string): PageMetadata {
  const page: PageMetadata = {};
  const metaTags = new Map<string, string>();
  for (const { tagName, properties, children } of headElements(treeOf(html))) {
    const address = stringOf(properties.href);
    const relations = listOf(properties.rel);
    if (tagName === 'title')
      page.title ??= tidy(children.map((child) => (child.type === 'text' ? child.value : '')).join(''));
    else if (tagName === 'meta')
      note(metaTags, stringOf(properties.property) ?? stringOf(properties.name), properties.content);
    else if (tagName !== 'link' || address === undefined) continue;
    else if (relations.includes('icon')) page.icon ??= address;
    else if (relations.includes('alternate') && properties.type === 'application/json+oembed') page.oembed ??= address;
  }
  const title = metaTags.get('og:title') ?? metaTags.get('twitter:title') ?? page.title;
  const site = metaTags.get('og:site_name') ?? metaTags.get('application-name');
  return { ...page, ...(title && { title }), ...(site && { site }) };
}

/** An empty tree for pages that are nested too deep. */
function treeOf(html: string): Root {
  try {
    return parseHtml(headOf(html));
  } catch (error) {
    if (error instanceof HtmlError) return { type: 'root', children: [] };
    throw error;
  }
}

/** The text up to the end of the head or the start of the body. */
function headOf(html: string): string {
  const start = html.slice(0, MAX_HEAD);
  const end = start.search(/<\/head|<body/i);
  return end === -1 ? start : start.slice(0, end);
}

/** The elements of the head, or the first elements of a page without one. */
function headElements(tree: Root): Element[] {
  const [html] = childElements(tree);
  return html ? childElements(html).flatMap(childElements) : [];
}

function note(metaTags: Map<string, string>, name: string | undefined, content: unknown): void {
  const text = typeof content === 'string' ? tidy(content) : '';
  if (name !== undefined && text !== '' && !metaTags.has(name)) metaTags.set(name, text);
}

const stringOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const tidy = (text: string) => text.replace(/\s+/g, ' ').trim();
