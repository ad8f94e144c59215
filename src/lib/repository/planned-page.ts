import type { Dollars } from '../foreign-formats/formulas.ts';
import { exchangeFormulas } from '../foreign-formats/with-formulas.ts';
import { type FrontMatter, splitFrontMatter } from '../front-matter.ts';
import { slugify, uniqueSlug } from '../slug.ts';
import { titleOfName } from './folder-outline.ts';
import type { RepositoryLinkTarget } from './links.ts';
import type { OutlineNode } from './outline.ts';
import { conditionTextIn, type PageSettings, readPageSettings, restrictionsIn } from './page-settings.ts';
import { type ReportEntry, warning } from './report.ts';
import type { RepositoryFiles } from './repository-files.ts';
import { baseName, folderOf, isReadme, slugOfPath, withoutExtension } from './repository-path.ts';
import { splitTitle } from './title.ts';
import { countLines, type WrittenParts, writtenParts } from './written-parts.ts';

/** Bodies of more characters are not read: their documents would be too large. */
export const MAX_IMPORTED_BODY_CHARACTERS = 1024 * 1024;
/** A body within the limit has at most three bytes for each character, and front matter above it. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_LINK_TITLE = 100;

/** A page of the tree to import. Groups contain documents and links; links have no children. */
export interface PlannedPage extends Omit<PageSettings, 'title'> {
  kind: 'document' | 'group' | 'link';
  /** Null for groups, links, and pages that only exist in the table of contents. */
  file: string | null;
  title: string;
  /** The title in the table of contents, if it is different. */
  linkTitle?: string;
  /** Unique among the siblings; null for links. */
  slug: string | null;
  /** The slugs down to the page, joined by `/`; null for links. */
  path: string | null;
  frontMatter: Record<string, unknown>;
  /** The Markdown without front matter and title. */
  body: string;
  /** The first line of the body in the file, starting at 1. */
  bodyLine: number;
  written: WrittenParts;
  /** The part that is too large for a page: its text, or the whole file, which was not read. The body is then empty. */
  tooLarge?: 'text' | 'file';
  /** Whether the front matter cannot be read, so that most settings of the page are unknown. */
  isUnread?: true;
  /** The text of `if` in front matter that cannot be read. `condition` hides the page from all visitors then. */
  conditionText?: string;
  /** Whether the title may be in front matter that cannot be read. It is that of the path instead. */
  isTitleUnread?: true;
  /** The URL of a link as written, and its target. */
  href?: string;
  target?: RepositoryLinkTarget;
  /** Line of the entry in the table of contents, starting at 1. */
  line?: number;
  children: PlannedPage[];
}

export interface PageSource {
  repository: RepositoryFiles;
  sizes: ReadonlyMap<string, number>;
  read: (path: string) => Promise<string>;
  report: ReportEntry[];
  dollars: Dollars;
}

/** Reads the files of a tree, one after another, and gives each page its title, slug and settings. */
export async function planPages(
  nodes: readonly OutlineNode[],
  source: PageSource,
  parentPath = '',
): Promise<PlannedPage[]> {
  const pages: PlannedPage[] = [];
  const usedSlugs = new Set<string>();
  for (const node of nodes) {
    const content = await readContent(node, source);
    const names = namesOf(node, content);
    const slug = node.kind === 'link' ? null : uniqueSlug(slugFor(node, names.title, source.repository), usedSlugs);
    if (slug !== null) usedSlugs.add(slug);
    const path = slug === null ? null : `${parentPath}${slug}`;
    const { kind, file, href, target, line } = node;
    const { title: _, ...settings } = content.settings;
    const address = href === undefined ? {} : { href, target };
    const children = await planPages(node.children, source, `${path}/`);
    const { frontMatter, body, bodyLine, written, tooLarge, isUnread, conditionText } = content;
    pages.push({
      kind,
      file,
      ...names,
      slug,
      path,
      ...settings,
      frontMatter,
      body,
      bodyLine,
      written,
      ...(tooLarge && { tooLarge }),
      ...(isUnread && { isUnread }),
      ...(conditionText !== undefined && { conditionText }),
      ...address,
      ...(line === undefined ? {} : { line }),
      children,
    });
  }
  return pages;
}

interface Content {
  heading?: string;
  settings: PageSettings;
  frontMatter: Record<string, unknown>;
  body: string;
  bodyLine: number;
  written: WrittenParts;
  tooLarge?: 'text' | 'file';
  isUnread?: true;
  conditionText?: string;
}

async function readContent({ file }: OutlineNode, source: PageSource): Promise<Content> {
  const empty: Content = { settings: {}, frontMatter: {}, body: '', bodyLine: 1, written: { head: '', body: '' } };
  if (file === null) return empty;
  if ((source.sizes.get(file) ?? 0) > MAX_FILE_BYTES) return { ...empty, tooLarge: 'file' };
  const text = await source.read(file);
  const { body: withTitle, ...front } = splitFrontMatter(text);
  const { settings, ...known } = readSettings(file, front, source);
  const { title, body, removed } = splitTitle(withTitle);
  const heading = title ? { heading: title } : {};
  const of = { ...known, ...heading, settings, frontMatter: front.data };
  if (body.length > MAX_IMPORTED_BODY_CHARACTERS) return { ...empty, ...of, tooLarge: 'text' };
  const bodyLine = countLines(text) - countLines(withTitle) + removed + 1;
  const read = (markdown: string) => exchangeFormulas(markdown, source.dollars).markdown;
  const parts = writtenParts(text, body, bodyLine);
  const written = { ...parts, body: read(parts.body) };
  return { ...of, body: read(body), bodyLine, written };
}

/** The settings of a page. What front matter that cannot be read seems to restrict is restricted. */
function readSettings(
  file: string,
  { data, issue, unreadBlock = '' }: Omit<FrontMatter, 'body'>,
  { report, repository }: PageSource,
): Pick<Content, 'settings' | 'isUnread' | 'conditionText'> {
  if (issue === undefined) {
    const { settings, report: faults } = readPageSettings(data, file, repository);
    for (const fault of faults) report.push(fault);
    return { settings };
  }
  report.push(warning(file, `The front matter was not read: ${issue}.`, 1));
  const conditionText = conditionTextIn(unreadBlock);
  const settings = restrictionsIn(unreadBlock);
  return { settings, isUnread: true, ...(conditionText !== undefined && { conditionText }) };
}

/** The heading is the title of the page; the title in the table of contents is shown in the sidebar. */
function namesOf(
  node: OutlineNode,
  { heading, settings, isUnread }: Content,
): Pick<PlannedPage, 'title' | 'linkTitle' | 'isTitleUnread'> {
  const known = heading ?? node.title ?? settings.title;
  const title = known ?? titleOfPath(node.path ?? node.href ?? '');
  const linkTitle = node.linkTitle ?? node.title ?? title;
  return {
    title,
    ...(linkTitle === title ? {} : { linkTitle: cut(linkTitle) }),
    ...(isUnread && known === undefined && { isTitleUnread: true }),
  };
}

function titleOfPath(path: string): string {
  const name = isReadme(path) ? baseName(folderOf(path)) : withoutExtension(baseName(path));
  return titleOfName(name) || 'Home';
}

function slugFor({ file, path, slug }: OutlineNode, title: string, { readme }: RepositoryFiles): string {
  if (slug !== undefined) return slugOfPath(slug) || slugify(title);
  return path === undefined || file === readme ? slugify(title) : slugOfPath(path) || slugify(title);
}

const cut = (title: string) => Array.from(title).slice(0, MAX_LINK_TITLE).join('');

/**
 * Name of a page in its source: the path of its file. Names of pages without a file begin with `//`, which paths never
 * do.
 */
export function pageKey(
  { kind, file, path, href }: Pick<PlannedPage, 'kind' | 'file' | 'path' | 'href'>,
  parentId: string | null,
): string {
  if (file !== null) return file;
  return kind === 'link' ? `//link/${parentId ?? ''}/${href ?? ''}` : `//${kind}/${path ?? ''}`;
}
