import { pathInTree } from '../../../lib/tree/paths.ts';
import type { Context } from '../../../platform/context/context.ts';
import {
  findVisiblePage,
  pathToVisiblePage,
  visibleComputedPages,
  visibleReadingOrder,
} from '../../store/trees/index.ts';
import type { ReadRevision } from '../computed-sources/index.ts';
import { childPages, type PagesByParent, type PageView, treeOf, viewOf } from './page-view.ts';
import { wholeTree } from './whole-tree.ts';

/**
 * Ancestors of a page, from the top level down. Batched; read from the page's tree if that was loaded with the page.
 */
export async function ancestorsOf(ctx: Context, { page, revision, tree }: PageView): Promise<PageView[]> {
  const { parentId } = page;
  if (parentId === null) return [];
  const read = await readTree(ctx, revision, tree);
  const fullTree = wholeTree(read);
  const above = fullTree ? pathInTree(fullTree.byId, parentId) : await pathToVisiblePage(ctx, revision, parentId);
  return above.map((each) => viewOf(each, revision, fullTree && read));
}

/** Parent of a page; null at the top level. */
export const parentPage = async (ctx: Context, view: PageView): Promise<PageView | null> =>
  (await ancestorsOf(ctx, view)).at(-1) ?? null;

/**
 * The page a number of steps away in reading order. Null past the ends, and for pages outside of the reading order:
 * hidden pages, pages below them, and pages without a body.
 */
export async function neighborOf(ctx: Context, view: PageView, step: 1 | -1): Promise<PageView | null> {
  const { page, revision, tree } = view;
  if (page.kind !== 'document' || page.hidden) return null;
  const read = await readTree(ctx, revision, tree);
  const fullTree = wholeTree(read);
  const { pageIds, places } = fullTree?.order ?? (await visibleReadingOrder(ctx, revision));
  const place = places.get(page.pageId);
  const pageId = place === undefined ? undefined : pageIds[place + step];
  if (pageId === undefined) return null;
  const neighbor = fullTree?.byId.get(pageId) ?? (await findVisiblePage(ctx, revision, { pageId }));
  return neighbor ? viewOf(neighbor, revision, fullTree && read) : null;
}

/**
 * The tree that the page was loaded with or, if the revision has computed pages, its whole tree: only this has all
 * pages in their order.
 */
async function readTree(
  ctx: Context,
  revision: ReadRevision,
  tree: PagesByParent | undefined,
): Promise<PagesByParent | undefined> {
  if (wholeTree(tree) || revision.isUncomputed) return tree;
  return (await visibleComputedPages(ctx, revision)).length === 0 ? tree : treeOf(ctx, revision);
}

/** Number of ancestors of a page. The path tells it, except for links, which have none. */
export function pageDepth(ctx: Context, view: PageView): number | Promise<number> {
  const { parentId, path } = view.page;
  if (parentId === null) return 0;
  if (path !== null) return path.split('/').length - 1;
  return ancestorsOf(ctx, view).then(({ length }) => length);
}

/** Whether the caller sees pages below a page. */
export function hasChildren(ctx: Context, view: PageView): boolean | Promise<boolean> {
  const { page, tree } = view;
  if (tree) return tree.has(page.pageId);
  return page.node.children.length > 0 && childPages(ctx, view).then(({ length }) => length > 0);
}
