import type { Element, Root } from 'hast';
import { toMdast } from 'hast-util-to-mdast';
import type { Root as MarkdownRoot } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { stringify } from 'yaml';
import { markLanguages } from './code-languages.ts';
import { tidyConfluence } from './confluence.ts';
import { dialectHandlers, formulas, TAG_TYPE } from './dialect.ts';
import { dropEmpty } from './drop-empty.ts';
import { classesOf, descendantElements, attribute as read } from './elements.ts';
import { fitContent } from './fit-content.ts';
import { mainContent } from './main-content.ts';
import { namesIn, removeTitle } from './page-head.ts';
import { parseHtml } from './parse-html.ts';
import type { ElementNote } from './plain-html.ts';
import { tidyLists } from './tidy-lists.ts';
import { tidyTabs } from './tidy-tabs.ts';

/** Maximum number of navigations of a page that are compared. */
const MAX_NAVIGATIONS = 20;

/** An HTML page as Markdown in the dialect of this service. */
export interface ConvertedPage {
  title: string;
  /** With the description as front matter and the title as the first heading. */
  markdown: string;
  /** URLs of all links of the page, in their order, including those outside of the main content. */
  links: string[];
  /** URLs in the largest navigation of the page, in their order. */
  navigation: string[];
  /** URLs of the images in the main content. */
  images: string[];
  /** The canonical URL of the page. */
  canonical?: string;
  /** Line numbers of the HTML, starting at 1. */
  notes: { outcome: 'changed' | 'dropped'; line?: number; message: string }[];
}

/**
 * Converts the main content of an HTML page to Markdown and collects its links. With an `address`, all links are made
 * absolute; otherwise they stay as written. Throws an `HtmlError` for HTML that is nested more than 250 levels deep.
 */
export function convertHtml(text: string, { address }: { address?: string } = {}): ConvertedPage {
  const root = parseHtml(text);
  const names = namesIn(root);
  const isConfluence = descendantElements(root, ({ properties: { id } }) => id === 'title-text').length > 0;
  const base = address === undefined ? undefined : baseOf(root, address);
  const canonical = base && canonicalOf(root, base);
  if (isConfluence) tidyConfluence(root);
  resolveAddresses(root, base);
  const links = addressesIn(root, 'a', 'href');
  const navigation = navigationIn(root);
  const notes: ConvertedPage['notes'] = [];
  const note: ElementNote = (outcome, { position }, message) =>
    notes.push({ outcome, ...(position ? { line: position.start.line } : {}), message });
  tidyTabs(root);
  const content = mainContent(root, note);
  const title = removeTitle(content, names, isConfluence) || 'Untitled';
  markLanguages(content);
  dropEmpty(content);
  tidyLists(content);
  fitContent(content);
  const images = addressesIn(content, 'img', 'src');
  const body = printed(content, note);
  const front = names.description === undefined ? '' : `---\n${stringify({ description: names.description })}---\n\n`;
  const markdown = `${front}# ${printedTitle(title)}\n\n${body}`;
  return { title, markdown, links, navigation, images, notes, ...(canonical === undefined ? {} : { canonical }) };
}

function baseOf(root: Root, address: string): string {
  const [base] = descendantElements(root, ({ tagName }) => tagName === 'base');
  const href = base && read(base, 'href');
  return (href && URL.parse(href, address)?.href) ?? address;
}

function canonicalOf(root: Root, base: string): string | undefined {
  const [link] = descendantElements(
    root,
    (element) => element.tagName === 'link' && read(element, 'rel') === 'canonical',
  );
  const href = link && read(link, 'href');
  return href === undefined ? undefined : URL.parse(href, base)?.href;
}

const SAFE = /^(?:https?|mailto|tel):/i;

/** Makes URLs absolute if there is a base, and removes those with unsafe schemes such as `javascript:` and `data:`. */
function resolveAddresses(root: Root, base: string | undefined): void {
  for (const element of descendantElements(root, ({ tagName }) => ADDRESS.has(tagName))) {
    const name = ADDRESS.get(element.tagName) ?? 'href';
    const url = lazySource(element) ?? read(element, name);
    if (url === undefined) continue;
    const isInner = url.startsWith('#');
    const absolute = base === undefined || isInner ? url : URL.parse(url, base)?.href;
    const hasScheme = /^[a-z][a-z0-9+.-]+:/i.test(absolute ?? '');
    if (absolute === undefined || (hasScheme && !SAFE.test(absolute))) delete element.properties[name];
    else element.properties[name] = absolute;
  }
}

const ADDRESS = new Map(Object.entries<string>({ a: 'href', img: 'src', iframe: 'src', video: 'src', source: 'src' }));

/** The source of a lazily loaded image, which has a placeholder as its `src`. */
const lazySource = (element: Element) =>
  element.tagName === 'img' ? (read(element, 'dataSrc') ?? read(element, 'dataOriginal')) : undefined;

const addressesIn = (root: Root | Element, tagName: string, name: string): string[] =>
  descendantElements(root, (element) => element.tagName === tagName).flatMap((element) => read(element, name) ?? []);

const NAVIGATION = /^(?:sidebar|toctree-wrapper|menu|navigation|toc|table-of-contents)\b/;

function navigationIn(root: Root): string[] {
  const parts = descendantElements(
    root,
    (element) =>
      element.tagName === 'nav' ||
      read(element, 'role') === 'navigation' ||
      classesOf(element).some((name) => NAVIGATION.test(name)),
  );
  // A page has few of them. Those that are nested in others are smaller.
  const lists = parts.slice(0, MAX_NAVIGATIONS).map((part) => addressesIn(part, 'a', 'href'));
  return lists.reduce((largest, list) => (list.length > largest.length ? list : largest), []);
}

/** Text that needs escaping in this Markdown dialect, in addition to the usual. */
const UNSAFE = [
  { character: '{', after: '%', inConstruct: 'phrasing' as const },
  { character: '$', after: '\\$', inConstruct: 'phrasing' as const },
  { character: ':', after: '[\\w+-]+:', inConstruct: 'phrasing' as const },
];

function printed(content: Root | Element, note: ElementNote): string {
  const root: Root = { type: 'root', children: content.type === 'root' ? content.children : [content] };
  const tree = toMdast(root, { document: true, handlers: dialectHandlers(note), nodeHandlers: { text: formulas } });
  return printer.stringify(tree as MarkdownRoot); // a root becomes a root
}

const printer = unified()
  .use(remarkGfm)
  .use(remarkStringify, {
    bullet: '*',
    emphasis: '_',
    fences: true,
    listItemIndent: 'one',
    handlers: { [TAG_TYPE]: ({ value }: { value: string }) => value },
    unsafe: UNSAFE,
  });

const printedTitle = (title: string) =>
  printer
    .stringify({ type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value: title }] }] })
    .replace(/\s+/g, ' ')
    .trim();
