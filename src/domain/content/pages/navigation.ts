import { readingOrderOf } from '../../../lib/tree/reading-order.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import { wayIn } from '../../../lib/tree/way.ts';
import type { Context } from '../../../platform/context.ts';
import { findPage, readingOrder, wayTo } from '../../store/trees/index.ts';
import { type PageTree, type PageView, viewOf } from './page-view.ts';

/** The pages above a page, from the top down. Batched; read from the page's tree when that came with it. */
export async function ancestorsOf(ctx: Context, { page, revision, tree }: PageView): Promise<PageView[]> {
  const { parentId } = page;
  if (parentId === null) return [];
  const whole = wholeTree(tree);
  const above = whole ? wayIn(whole.byId, parentId) : await wayTo(ctx, revision, parentId);
  return above.map((each) => viewOf(each, revision, whole && tree));
}

/** The page right above a page; null at the top level. */
export const parentOf = async (ctx: Context, view: PageView): Promise<PageView | null> =>
  (await ancestorsOf(ctx, view)).at(-1) ?? null;

/**
 * The page so many steps from a page in reading order; null past its ends, and for pages that are not in it: hidden ones,
 * those below hidden ones, and pages without a body.
 */
export async function neighborOf(ctx: Context, view: PageView, step: 1 | -1): Promise<PageView | null> {
  const { page, revision, tree } = view;
  if (page.kind !== 'document' || page.hidden) return null;
  const whole = wholeTree(tree);
  const { pageIds, places } = whole?.order ?? (await readingOrder(ctx, revision));
  const place = places.get(page.pageId);
  const pageId = place === undefined ? undefined : pageIds[place + step];
  if (pageId === undefined) return null;
  const found = whole?.byId.get(pageId) ?? (await findPage(ctx, revision, { pageId }));
  return found ? viewOf(found, revision, whole && tree) : null;
}

/** A tree that was read as a whole, looked up by id. */
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

/** Undefined for a tree that has the pages below some page and no others. */
function wholeTree(tree: PageTree | undefined): WholeTree | undefined {
  if (!tree?.has(null)) return undefined;
  const known = wholeTrees.get(tree) ?? new WholeTree(tree);
  wholeTrees.set(tree, known);
  return known;
}
