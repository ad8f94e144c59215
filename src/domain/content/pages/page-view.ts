import type { z } from 'zod';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { loadVisibleBelow, loadVisibleTree } from '../../store/trees/index.ts';
import { expandPages, type FoundPage, type ReadRevision } from '../computed-sources/index.ts';
import { idInRevision } from '../revisions/index.ts';
import { idInCurrentContent } from './current-content.ts';
import type { pageMetaLinks } from './page-fields.ts';

/** A page in a revision, as both transports present it. */
export interface PageView {
  /**
   * In the current content of a space or change request, an id that stays the same when the content changes:
   * `page_…-in-space_…` or `page_…-in-cr_…`. Else the id in the revision: `page_…-at-rev_…`.
   */
  id: string;
  page: LoadedPage;
  revision: ReadRevision;
  /** Pages of the revision by parent, including all descendants of this page, if they were loaded with it. */
  tree?: PagesByParent;
}

/** Pages of a revision by the id of their parent, siblings in order. The key of the top level is null. */
export type PagesByParent = Map<string | null, LoadedPage[]>;

export const viewOf = (page: LoadedPage, revision: ReadRevision, tree?: PagesByParent): PageView => ({
  id:
    revision.currentOf === undefined
      ? idInRevision(page.pageId, revision.id)
      : idInCurrentContent(page.pageId, revision.currentOf),
  page,
  revision,
  ...(tree ? { tree } : {}),
});

/** A page that was found, with the pages of its computed page, if it belongs to one. */
export const viewOfFound = ({ page, expanded }: FoundPage, revision: ReadRevision): PageView =>
  viewOf(page, revision, expanded && Map.groupBy(expanded.slice(1), ({ parentId }) => parentId));

/** Trees by their list of pages, which is the same for all readers of a cached tree. */
const trees = new WeakMap<readonly LoadedPage[], PagesByParent>();

/** The complete tree of a revision. */
export async function treeOf(ctx: Context, revision: ReadRevision): Promise<PagesByParent> {
  const pages = await expandPages(ctx, revision, await loadVisibleTree(ctx, revision));
  const tree = trees.get(pages) ?? Map.groupBy(pages, ({ parentId }) => parentId);
  trees.set(pages, tree);
  return tree;
}

/** The pages at the top level of a revision. */
export async function topPages(ctx: Context, revision: ReadRevision): Promise<PageView[]> {
  const tree = await treeOf(ctx, revision);
  return (tree.get(null) ?? []).map((page) => viewOf(page, revision, tree));
}

/** Child pages of a page, in order. */
export async function childPages(ctx: Context, { page, revision, tree: loadedTree }: PageView): Promise<PageView[]> {
  const tree = loadedTree ?? (await treeBelow(ctx, revision, page));
  return (tree.get(page.pageId) ?? []).map((child) => viewOf(child, revision, tree));
}

/** All pages below a page, by level. */
export async function pagesBelow(ctx: Context, { page, revision, tree: loadedTree }: PageView): Promise<PageView[]> {
  const tree = loadedTree ?? (await treeBelow(ctx, revision, page));
  const below: PageView[] = [];
  for (let level = [page]; level.length > 0; ) {
    level = level.flatMap(({ pageId }) => tree.get(pageId) ?? []);
    for (const each of level) below.push(viewOf(each, revision, tree));
  }
  return below;
}

const treeBelow = async (ctx: Context, revision: ReadRevision, page: LoadedPage): Promise<PagesByParent> =>
  Map.groupBy(
    await expandPages(ctx, revision, await loadVisibleBelow(ctx, revision, page)),
    ({ parentId }) => parentId,
  );

type Given = z.output<typeof pageMetaLinks>;

/** The links in the metadata of a page for search engines, as they were written. Only document pages have any. */
export function metaLinksOf({ page }: PageView): Given & Required<Pick<Given, 'alternates'>> {
  const links: Given = page.node.kind === 'document' ? (page.node.fields.metaLinks ?? {}) : {};
  return { ...links, alternates: links.alternates ?? [] };
}
