import { parseSummary, type SummaryItem } from '../repository/summary.ts';
import { rewriteOutsideCode } from './rewrite-outside-code.ts';

const LINK = /\[\[([^[\]\n]{1,500})\]\]/g;
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|bmp)$/i;

/** Converts the links of a wiki, `[[Title]]` and `[[text|Title#anchor]]`, to Markdown links to its files. */
export const readWikiLinks = (markdown: string): string =>
  rewriteOutsideCode(markdown, (text) => text.replace(LINK, (_, inner: string) => linkTo(inner)));

function linkTo(inner: string): string {
  const [first = '', second] = inner.split('|', 2);
  const target = (second ?? first).trim();
  const label = first.trim();
  if (/^https?:\/\//i.test(target)) return `[${label}](<${target}>)`;
  if (IMAGE.test(target)) return `![${second === undefined ? '' : label}](<${rooted(target)}>)`;
  const [page = '', anchor] = target.split('#', 2);
  const address = `${page === '' ? '' : rooted(fileName(page))}${anchor === undefined ? '' : `#${anchor}`}`;
  return `[${label}](<${address}>)`;
}

const rooted = (path: string) => (path.startsWith('/') ? path : `/${path}`);

/** File names are titles with hyphens instead of spaces. */
const fileName = (title: string) => title.trim().replace(/ /g, '-').replace(/[<>]/g, '');

const PARTS = /^_(?:sidebar|footer|header)\.(?:md|markdown)$/i;

/** Whether a file is the sidebar, header or footer of a wiki, not a page. */
export const isWikiPart = (path: string) => PARTS.test(path.slice(path.lastIndexOf('/') + 1));

/** The table of contents of a wiki: the home page, the entries of the sidebar, then all other pages. */
export function wikiContents(sidebar: string | undefined, pages: readonly string[], home: string | undefined) {
  const listed = sidebar === undefined ? [] : parseSummary(readWikiLinks(sidebar), '_Sidebar.md').items;
  const mentioned = new Set(allOf(listed).map(({ url }) => pageNamed(url)));
  const entries = pages.filter((page) => !mentioned.has(pageNamed(page)));
  const first = entries.filter((page) => page === home);
  const others = entries.filter((page) => page !== home);
  return [...first.map(itemOf), ...listed, ...others.map(itemOf)];
}

const allOf = (items: readonly SummaryItem[]): SummaryItem[] =>
  items.flatMap((item) => [item, ...allOf(item.children)]);

const pageNamed = (url = '') =>
  url
    .replace(/[?#].*$/s, '')
    .replace(/^.*\//s, '')
    .replace(/\.(?:md|markdown)$/i, '')
    .toLowerCase();

/** An entry for a file, titled by the file itself. */
export const itemOf = (path: string): SummaryItem => ({
  title: '',
  url: `/${path.split('/').map(encodeURIComponent).join('/')}`,
  isHeading: false,
  line: 1,
  children: [],
});
