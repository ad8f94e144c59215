import { makeYielder } from '../../../lib/tick.ts';
import { type TreeOutline, treeOutline } from '../../../lib/tree/outline.ts';
import { type ReadingOrder, readingOrderOf } from '../../../lib/tree/reading-order.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { PagesByParent } from './page-view.ts';

/** What follows from a tree that was loaded as a whole. Derived when it is needed, once for each tree. */
class WholeTree {
  readonly #tree: PagesByParent;
  #byId: ReadonlyMap<string, LoadedPage> | undefined;
  #order: ReadingOrder | undefined;
  #outline: Promise<TreeOutline> | undefined;

  constructor(tree: PagesByParent) {
    this.#tree = tree;
  }

  get byId(): ReadonlyMap<string, LoadedPage> {
    this.#byId ??= new Map([...this.#tree.values()].flat().map((page) => [page.pageId, page]));
    return this.#byId;
  }

  get order(): ReadingOrder {
    this.#order ??= readingOrderOf([...this.byId.values()]);
    return this.#order;
  }

  get outline(): Promise<TreeOutline> {
    this.#outline ??= treeOutline(this.#tree, makeYielder());
    return this.#outline;
  }
}

const wholeTrees = new WeakMap<PagesByParent, WholeTree>();

/** A complete tree of a revision. */
export function wholeTreeOf(tree: PagesByParent): WholeTree {
  const instance = wholeTrees.get(tree) ?? new WholeTree(tree);
  wholeTrees.set(tree, instance);
  return instance;
}

/** Undefined for a tree that only contains the pages below a page. */
export const wholeTree = (tree: PagesByParent | undefined): WholeTree | undefined =>
  tree?.has(null) ? wholeTreeOf(tree) : undefined;
