import { type ReadingOrder, readingOrderOf } from '../../../lib/tree/reading-order.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { trimOf } from '../../../lib/trim-characters.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { computedPages } from './computed-pages.ts';
import { findPage, homePage, type PageName } from './find-page.ts';
import { type HiddenPages, hiddenPages } from './hidden-pages.ts';
import { loadSubtrees } from './load-subtrees.ts';
import { loadBelow, loadTree } from './load-tree.ts';
import { pathToPage } from './path-to-page.ts';
import { readingOrder } from './reading-order.ts';

/*
 * The trees of revisions as the caller sees them: without the pages whose conditions a reader of a published site does
 * not meet. Everything outside of this module reads trees in this way, except jobs that write content, which have no
 * caller: they read all pages with `loadWholeTree`.
 */

/** See `load-tree.ts`. */
export async function loadVisibleTree(ctx: Context, revision: RevisionRow): Promise<LoadedPage[]> {
  const [hidden, pages] = await Promise.all([hiddenPages(ctx, revision), loadTree(ctx, revision)]);
  return hidden ? hidden.without(pages) : pages;
}

/** See `load-tree.ts`. */
export async function loadVisibleBelow(ctx: Context, revision: RevisionRow, page: LoadedPage): Promise<LoadedPage[]> {
  const [hidden, pages] = await Promise.all([hiddenPages(ctx, revision), loadBelow(ctx, revision, page)]);
  return hidden ? hidden.without(pages) : pages;
}

/** See `load-subtrees.ts`. Callers from whom pages are hidden get all others. */
export async function loadVisibleSubtrees(
  ctx: Context,
  revision: RevisionRow,
  pageIds: readonly string[],
): Promise<LoadedPage[]> {
  const hidden = await hiddenPages(ctx, revision);
  return hidden ? loadVisibleTree(ctx, revision) : loadSubtrees(ctx.db, revision, pageIds);
}

/** See `find-page.ts`. The home page is the first document page that the caller sees. */
export async function findVisiblePage(
  ctx: Context,
  revision: RevisionRow,
  name: PageName,
): Promise<LoadedPage | undefined> {
  const page = await findPage(ctx, revision, name);
  const hidden = page && (await hiddenPages(ctx, revision));
  if (!hidden || !(await isHidden(ctx, revision, hidden, page))) return page;
  const isHome = 'path' in name && trimOf(name.path, '/') === '';
  return isHome ? homePage(await loadVisibleTree(ctx, revision)) : undefined;
}

/** See `reading-order.ts`. */
export async function visibleReadingOrder(ctx: Context, revision: RevisionRow): Promise<ReadingOrder> {
  const hidden = await hiddenPages(ctx, revision);
  return hidden ? readingOrderOf(await loadVisibleTree(ctx, revision)) : readingOrder(ctx, revision);
}

/** See `computed-pages.ts`. */
export async function visibleComputedPages(ctx: Context, revision: RevisionRow): Promise<LoadedPage[]> {
  const [hidden, pages] = await Promise.all([hiddenPages(ctx, revision), computedPages(ctx, revision)]);
  return hidden ? pages.filter((page) => !hidden.has(page)) : pages;
}

/** Returns the path from the top level to a page, see `path-to-page.ts`. Empty if the page is hidden. */
export async function pathToVisiblePage(ctx: Context, revision: RevisionRow, pageId: string): Promise<LoadedPage[]> {
  const [hidden, way] = await Promise.all([hiddenPages(ctx, revision), pathToPage(ctx, revision, pageId)]);
  return hidden && way.some((page) => hidden.has(page)) ? [] : way;
}

async function isHidden(ctx: Context, revision: RevisionRow, hidden: HiddenPages, page: LoadedPage): Promise<boolean> {
  if (hidden.has(page)) return true;
  if (page.path !== null) return false;
  return (await pathToPage(ctx, revision, page.pageId)).some((each) => hidden.has(each));
}
