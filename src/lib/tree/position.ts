import type { Draft, DraftTree, PageDraft } from './draft.ts';
import { TreeError } from './error.ts';
import type { PageKind } from './node.ts';

/** A place among siblings; `at` counts from 0, without the page itself, and beyond the last means last. */
export type Position = { beforeId: string } | { afterId: string } | { at: number };

/** How many pages stand under one parent at most. */
export const MAX_CHILDREN = 1000;
/** How many levels of pages a tree has at most. */
export const MAX_DEPTH = 32;

/** The page that the position is named by, if it is. */
export function siblingIn(position: Position | undefined): string[] {
  if (position === undefined || 'at' in position) return [];
  return ['beforeId' in position ? position.beforeId : position.afterId];
}

/** The index among the children of the parent, not counting the page itself; last without a position. */
export function indexAt(tree: DraftTree, parent: Draft, position: Position | undefined, page?: PageDraft): number {
  const siblings = parent.children.filter((slot) => slot !== page);
  if (position === undefined) return siblings.length;
  if ('at' in position) return Math.min(position.at, siblings.length);
  const [siblingId = ''] = siblingIn(position);
  const sibling = tree.page(siblingId);
  const index = sibling ? siblings.indexOf(sibling) : -1;
  if (index < 0) {
    throw new TreeError('BAD_POSITION', `The page "${siblingId}" is not another child of the same parent.`);
  }
  return 'beforeId' in position ? index : index + 1;
}

/** The draft of the parent, if a page of this kind may stand under it. */
export function parentFor(tree: DraftTree, parentId: string | null, kind: PageKind): Draft {
  if (parentId === null) return tree.root;
  const parent = pageIn(tree, parentId);
  if (kind === 'group') throw new TreeError('BAD_PARENT', 'A group can only stand at the top level.');
  if (parent.content.kind === 'group' || parent.content.kind === 'document') return parent;
  throw new TreeError('BAD_PARENT', `The page "${parentId}" is a ${parent.content.kind} page, which has no children.`);
}

/** The draft of a page that was looked for. */
export function pageIn(tree: DraftTree, pageId: string): PageDraft {
  const page = tree.page(pageId);
  if (page) return page;
  throw new TreeError('UNKNOWN_PAGE', `There is no page "${pageId}".`);
}

/** Refuses one more child for a full parent. */
export function checkModule(parent: Draft): void {
  if (parent.children.length < MAX_CHILDREN) return;
  throw new TreeError('TOO_MANY_CHILDREN', `There are at most ${MAX_CHILDREN} pages under one parent; choose another.`);
}

/** Refuses a subtree of so many levels under the parent. */
export function checkDepth(parent: Draft, levels: number): void {
  if (depthOf(parent) + levels <= MAX_DEPTH) return;
  throw new TreeError('TOO_DEEP', `A page tree is at most ${MAX_DEPTH} levels deep; choose a parent higher up.`);
}

/** Refuses a parent inside the subtree of the page. */
export function checkOutside(page: PageDraft, parent: Draft): void {
  for (let each: Draft | null = parent; each; each = each.parent) {
    if (each !== page) continue;
    throw new TreeError('CYCLE', `The page "${page.content.pageId}" cannot move into itself or a page below it.`);
  }
}

/** The level of a draft: 0 for the root, 1 for the pages at the top. */
export function depthOf(draft: Draft): number {
  let depth = 0;
  for (let each = draft.parent; each; each = each.parent) depth++;
  return depth;
}
