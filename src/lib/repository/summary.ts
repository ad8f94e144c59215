import type { Heading, Link, LinkReference, List, ListItem, Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { cjkEmphasis } from '../document/markdown/syntax/syntax-cjk.ts';
import { boundMarkdown } from './bounded-markdown.ts';
import { dedentItems } from './dedent-items.ts';
import { cleanTitle, plainText } from './plain-text.ts';
import { type ReportEntry, warning } from './report.ts';

const MAX_LENGTH = 512 * 1024;

/** An entry of the table of contents as written. */
export interface SummaryItem {
  title: string;
  /** The second, quoted title of a link, which is shown in the sidebar. */
  linkTitle?: string;
  /** The URL; absent for an entry without a link. */
  url?: string;
  /** The id of an empty `<a>` in it, which GitBook writes for the slug of a group. */
  anchor?: string;
  /** Whether it is a heading. Its children are the list below it. */
  isHeading: boolean;
  line: number;
  children: SummaryItem[];
}

/**
 * Parses a table of contents: nested lists of links, optionally under headings. A heading of level 1 at the top is the
 * title of the file itself. A rule ends a group. Anything else in the file is ignored.
 */
export function parseSummary(markdown: string, file = 'SUMMARY.md'): { items: SummaryItem[]; report: ReportEntry[] } {
  const report: ReportEntry[] = [];
  if (markdown.length > MAX_LENGTH) {
    report.push(warning(file, `Only the first ${MAX_LENGTH} characters were read.`));
  }
  const { text, blanked } = boundMarkdown(markdown.slice(0, MAX_LENGTH));
  if (blanked.length > 0) {
    const message = `${blanked.length} lines were left out, starting here: they are nested too deep, too long or too many.`;
    report.push(warning(file, message, blanked[0]));
  }
  const { text: placed, moved } = dedentItems(text);
  for (const line of moved)
    report.push(warning(file, 'The entry is indented too far. It was taken for one below the entry before it.', line));
  const dense = withoutRepeatedBlanks(placed);
  return { items: topItems(fromMarkdown(dense, { extensions: cjkEmphasis(dense) })), report };
}

/** Keeps the first of several blank lines, which mean the same. The parser takes seconds for half a million of them. */
function withoutRepeatedBlanks(markdown: string): string {
  const lines = markdown.split('\n');
  return lines.filter((line, at) => line.trim() !== '' || lines[at - 1]?.trim() !== '').join('\n');
}

function topItems(root: Root): SummaryItem[] {
  const addresses = definitionsOf(root);
  const items: SummaryItem[] = [];
  let target = items;
  let isFirstHeading = true;
  for (const node of root.children) {
    if (node.type === 'thematicBreak') target = items;
    if (node.type === 'list') target.push(...listItems(node, addresses));
    if (node.type !== 'heading') continue;
    const isOwnTitle = isFirstHeading && node.depth === 1;
    isFirstHeading = false;
    const group = isOwnTitle ? undefined : labelItem(node, addresses, true);
    if (group) items.push(group);
    target = group?.children ?? items;
  }
  return items;
}

type Addresses = ReadonlyMap<string, string>;

function definitionsOf(root: Root): Addresses {
  return new Map(root.children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node.url]] : [])));
}

function listItems(list: List, addresses: Addresses): SummaryItem[] {
  return list.children.flatMap((node) => {
    const children = node.children.flatMap((child) => (child.type === 'list' ? listItems(child, addresses) : []));
    const item = itemOf(node, addresses);
    return item ? [{ ...item, children }] : children;
  });
}

function itemOf(node: ListItem, addresses: Addresses): SummaryItem | undefined {
  const label = node.children.find((child) => child.type === 'paragraph' || child.type === 'heading');
  return label && labelItem(label, addresses, false);
}

function labelItem(label: Heading | ListItem['children'][number], addresses: Addresses, isHeading: boolean) {
  const line = label.position?.start.line ?? 1;
  const text = plainText(label);
  const link = firstLink(label);
  const loose = link ? undefined : looseLink(text);
  if (loose) return { ...loose, isHeading, line, children: [] };
  const url = link?.type === 'link' ? link.url : addresses.get(link?.identifier ?? '');
  const title = (link && plainText(link)) || text;
  if (title === '' && !url) return undefined;
  const linkTitle = link?.type === 'link' ? cleanTitle(link.title ?? '') : '';
  const item: SummaryItem = { title, isHeading, line, children: [] };
  const anchor = anchorIn(label);
  return { ...item, ...(url ? { url } : {}), ...(linkTitle ? { linkTitle } : {}), ...(anchor ? { anchor } : {}) };
}

const ELEMENT = /^<a\s[^<>]*>$/i;
const ID = /\sid="([^"<>]{1,100})"/i;

function anchorIn(label: Nodes): string | undefined {
  if (!('children' in label)) return undefined;
  return label.children.flatMap((node) =>
    node.type === 'html' && ELEMENT.test(node.value) ? (ID.exec(node.value)?.[1] ?? []) : [],
  )[0];
}

/** `[My page](my page.md)` is not a link in CommonMark, but is common. */
function looseLink(text: string): { title: string; url: string } | undefined {
  const at = text.lastIndexOf('](');
  if (!text.startsWith('[') || !text.endsWith(')') || at < 2) return undefined;
  const url = text.slice(at + 2, -1).trim();
  return url === '' || /[()]/.test(url) ? undefined : { title: text.slice(1, at), url };
}

function firstLink(node: Nodes): Link | LinkReference | undefined {
  if (node.type === 'link' || node.type === 'linkReference') return node;
  if (!('children' in node)) return undefined;
  for (const child of node.children) {
    const link = firstLink(child);
    if (link) return link;
  }
  return undefined;
}
