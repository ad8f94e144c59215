import { pathInTree } from '../../../lib/tree/path-in-tree.ts';
import { readingOrderOf } from '../../../lib/tree/reading-order.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { computedPages, findPage, pathToPage, readingOrder } from '../../store/trees/index.ts';
import type { ReadRevision } from '../computing/index.ts';
import { type PageTree, type PageView, treeOf, viewOf } from './page-view.ts';

/**
 * Ancestors of a page, from the top level down. Batched; read from the page's tree if that was loaded with the page.
 */
export async function ancestorsOf(ctx: Context, { page, revision, tree }: PageView): Promise<PageView[]> {
  const { parentId } = page;
  if (parentId === null) return [];
  const read = await readTree(ctx, revision, tree);
  const whole = wholeTree(read);
  const above = whole ? pathInTree(whole.byId, parentId) : await pathToPage(ctx, revision, parentId);
  return above.map((each) => viewOf(each, revision, whole && read));
}

/** Parent of a page; null at the top level. */
export const parentOf = async (ctx: Context, view: PageView): Promise<PageView | null> =>
  (await ancestorsOf(ctx, view)).at(-1) ?? null;

/**
 * The page a number of steps away in reading order. Null past the ends, and for pages outside of the reading order:
 * hidden pages, pages below them, and pages without a body.
 */
export async function neighborOf(ctx: Context, view: PageView, step: 1 | -1): Promise<PageView | null> {
  const { page, revision, tree } = view;
  if (page.kind !== 'document' || page.hidden) return null;
  const read = await readTree(ctx, revision, tree);
  const whole = wholeTree(read);
  const { pageIds, places } = whole?.order ?? (await readingOrder(ctx, revision));
  const place = places.get(page.pageId);
  const pageId = place === undefined ? undefined : pageIds[place + step];
  if (pageId === undefined) return null;
  const found = whole?.byId.get(pageId) ?? (await findPage(ctx, revision, { pageId }));
  return found ? viewOf(found, revision, whole && read) : null;
}

/**
 * The tree that the page was loaded with or, if the revision has computed pages, its whole tree: only this has all pages
 * in their order.
 */
async function readTree(
  ctx: Context,
  revision: ReadRevision,
  tree: PageTree | undefined,
): Promise<PageTree | undefined> {
  if (wholeTree(tree) || revision.isUncomputed) return tree;
  return (await computedPages(ctx, revision)).length === 0 ? tree : treeOf(ctx, revision);
}

/** A tree that was loaded as a whole, indexed by id. */
class WholeTree {
  readonly byId: ReadonlyMap<string, LoadedPage>;
  readonly #pages: readonly LoadedPage[];
  #order: ReturnType<typeof readingOrderOf> | undefined;

  constructor(tree: PageTree) {
    this.#pages = [...tree.values()].flat();
    this.byId = new Map(this.#pages.map((page) => [page.pageId, page]));
  }

  get order() {
    this.#order ??= readingOrderOf(this.#pages);
    return this.#order;
  }
}

const wholeTrees = new WeakMap<PageTree, WholeTree>();

/** Undefined for a tree that only contains the pages below a page. */
function wholeTree(tree: PageTree | undefined): WholeTree | undefined {
  if (!tree?.has(null)) return undefined;
  const known = wholeTrees.get(tree) ?? new WholeTree(tree);
  wholeTrees.set(tree, known);
  return known;
}
