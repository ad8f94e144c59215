import { isExternal, type LocatedFile, locateFile, type RepositoryLinkTarget } from './links.ts';
import { info, quote, type ReportEntry, warning } from './report.ts';
import type { RepositoryFiles } from './repository-files.ts';
import { decodeAddress, isMarkdown } from './repository-path.ts';
import type { SummaryItem } from './summary.ts';

/** A page of the tree before its file is read. */
export interface OutlineNode {
  kind: 'document' | 'group' | 'link';
  file: string | null;
  /** Source of the slug instead of the title: the path of the file (even if it does not exist) or folder. */
  path?: string;
  title?: string;
  /** The slug as the table of contents states it. */
  slug?: string;
  linkTitle?: string;
  /** The URL of a link as written. */
  href?: string;
  target?: RepositoryLinkTarget;
  line?: number;
  children: OutlineNode[];
}

/**
 * The page tree of a table of contents. A page is placed at its first mention. Further mentions become links to it, as
 * do external URLs and files that are not Markdown. Links have no children: what is below a link is placed after it.
 */
export function summaryOutline(items: readonly SummaryItem[], summaryFile: string, repository: RepositoryFiles) {
  const report: ReportEntry[] = [];
  const context: Context = { summaryFile, repository, report, owners: new Map() };
  context.owners = ownersOf(items, context);
  return { nodes: items.flatMap((item) => nodesOf(item, context, true)), report };
}

interface Context {
  summaryFile: string;
  repository: RepositoryFiles;
  report: ReportEntry[];
  owners: ReadonlyMap<string, SummaryItem>;
}

/**
 * The entry for the page of a file: the first with children, otherwise the first without an anchor, otherwise the
 * first.
 */
function ownersOf(items: readonly SummaryItem[], context: Context): Map<string, SummaryItem> {
  const plain = new Map<string, SummaryItem>();
  const anchored = new Map<string, SummaryItem>();
  for (const item of allOf(items)) {
    if (item.url === undefined || isExternal(item.url)) continue;
    const located = locateEntry(item.url, context);
    if (typeof located === 'string') continue;
    const owners = located.anchor ? anchored : plain;
    const first = owners.get(located.file);
    if (!first || (first.children.length === 0 && item.children.length > 0)) owners.set(located.file, item);
  }
  return new Map([...anchored, ...plain]);
}

const allOf = (items: readonly SummaryItem[]): SummaryItem[] =>
  items.flatMap((item) => [item, ...allOf(item.children)]);

function locateEntry(url: string, { summaryFile, repository }: Context): LocatedFile | string {
  const located = locateFile(summaryFile, url, repository);
  const isItself = typeof located === 'object' && located.file === summaryFile;
  return isItself ? 'that is the table of contents itself' : located;
}

function nodesOf(item: SummaryItem, context: Context, isTop: boolean): OutlineNode[] {
  const children = item.children.flatMap((child) => nodesOf(child, context, false));
  const node = nodeOf(item, context, isTop);
  if (node.kind !== 'link') return [{ ...node, children }];
  if (children.length > 0) {
    note(context, item, `${quote(item.title)} is a link and cannot have children. They were placed after it.`);
  }
  return [node, ...children];
}

function nodeOf(item: SummaryItem, context: Context, isTop: boolean): OutlineNode {
  const { url, title, linkTitle, line } = item;
  const titles = { ...(title ? { title } : {}), ...(linkTitle ? { linkTitle } : {}) };
  const base = { file: null, ...titles, line, children: [] };
  if (url === undefined) {
    const isGroup = isTop && (item.isHeading || item.children.length > 0);
    const slug = item.anchor === undefined ? {} : { slug: item.anchor };
    return { ...base, ...slug, kind: isGroup ? 'group' : 'document' };
  }
  if (isExternal(url)) return { ...base, kind: 'link', href: url, target: { kind: 'url', url } };
  const located = locateEntry(url, context);
  if (typeof located === 'string') {
    note(context, item, `${quote(title)} links to ${quote(url)}, but ${located}. The page is empty.`);
    return { ...base, kind: 'document', path: decodeAddress(url.replace(/[?#].*$/s, '')) };
  }
  return fileNode(item, located, base, context);
}

function fileNode(
  item: SummaryItem,
  located: LocatedFile,
  base: Omit<OutlineNode, 'kind'>,
  context: Context,
): OutlineNode {
  const { file, anchor } = located;
  if (located.note) note(context, item, `${quote(item.url ?? '')}: ${located.note}.`);
  if (!isMarkdown(file)) return { ...base, kind: 'link', href: item.url, target: { kind: 'file', path: file } };
  const owner = context.owners.get(file);
  if (owner !== item) {
    const where = owner ? ` in line ${owner.line}` : '';
    context.report.push(
      info(context.summaryFile, `${quote(file)} is a page already${where}. This entry links to it.`, item.line),
    );
    return { ...base, kind: 'link', href: item.url, target: { kind: 'page', file, ...(anchor ? { anchor } : {}) } };
  }
  if (anchor)
    note(
      context,
      item,
      `The entry is the page ${quote(file)} as a whole. The anchor ${quote(`#${anchor}`)} was removed.`,
    );
  return { ...base, kind: 'document', file, path: file };
}

function note({ report, summaryFile }: Context, { line }: SummaryItem, message: string): void {
  report.push(warning(summaryFile, message, line));
}
