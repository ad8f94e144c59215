import { folderOf, isReadme, withoutExtension } from '../repository-path.ts';
import { TakenPaths } from './taken-paths.ts';

/** A page that needs a file, or that contains such pages. Parents come before their children. */
export interface PathPage {
  pageId: string;
  parentId: string | null;
  slug: string | null;
  kind: 'document' | 'group' | 'link' | 'computed';
  /** Whether the page has a file at all. */
  hasFile: boolean;
  /** The file that it has in the repository. */
  path?: string | undefined;
  /** Whether slug and parent are those that the file was written for. */
  isInPlace: boolean;
  /** Whether the parent is that for which the file was written. The page stays in its folder then. */
  hasSameParent: boolean;
}

/**
 * The file of each page. A page keeps its file while its slug and parent stay. Other pages get one by their slugs: a
 * page with children is the README.md of its folder, and the first page without a file of its own is the home page.
 * Paths are unique, regardless of case and normalization.
 */
export function assignPaths(
  pages: readonly PathPage[],
  { root, readme, taken }: { root: string; readme: string; taken: Iterable<string> },
): Map<string, string> {
  const paths = new Map<string, string>();
  const used = new TakenPaths(taken);
  const sections = new Set(pages.flatMap(({ parentId, hasFile }) => (hasFile && parentId !== null ? [parentId] : [])));
  const moves = pages.filter((page) => page.hasFile && !(page.path !== undefined && page.isInPlace));
  const moving = new Set(moves.map(({ pageId }) => pageId));
  for (const { pageId, path } of pages) {
    if (path === undefined || moving.has(pageId)) continue;
    paths.set(pageId, path);
    used.add(path);
  }
  const folders = new Map<string | null, string>();
  const folderFor = foldersOf(pages, paths, root, folders);
  for (const page of moves) {
    const { pageId, parentId, slug, path: before, hasSameParent } = page;
    const folder = before !== undefined && hasSameParent ? folderAround(before) : folderFor(parentId);
    const stem = folder === '' ? (slug ?? 'page') : `${folder}/${slug ?? 'page'}`;
    const isHome = parentId === null && pages[0]?.pageId === pageId && used.isFree(readme);
    const end = sections.has(pageId) ? '/README.md' : '.md';
    const path = isHome ? used.take(readme, '') : used.take(`${stem}${end}`, end);
    paths.set(pageId, path);
  }
  return paths;
}

/** The folder that contains a page: for a README.md, that of its section. */
const folderAround = (path: string) => (isReadme(path) ? folderOf(folderOf(path)) : folderOf(path));

/** The folder for files below a page: that of its README.md, one named like its file, or that of its other pages. */
function foldersOf(
  pages: readonly PathPage[],
  paths: ReadonlyMap<string, string>,
  root: string,
  folders: Map<string | null, string>,
) {
  const byId = new Map(pages.map((page) => [page.pageId, page]));
  const children = Map.groupBy(pages, ({ parentId }) => parentId);
  folders.set(null, root);
  const folderFor = (pageId: string | null): string => {
    const folder = folders.get(pageId);
    if (folder !== undefined || pageId === null) return folder ?? root;
    const page = byId.get(pageId);
    const ownPath = paths.get(pageId);
    const sibling = children
      .get(pageId)
      ?.map(({ pageId: id }) => paths.get(id))
      .find((path) => path !== undefined);
    const above = folderFor(page?.parentId ?? null);
    if (ownPath !== undefined) return isReadme(ownPath) ? folderOf(ownPath) : withoutExtension(ownPath);
    if (sibling !== undefined) return folderAround(sibling);
    return above === '' ? (page?.slug ?? 'pages') : `${above}/${page?.slug ?? 'pages'}`;
  };
  return folderFor;
}
