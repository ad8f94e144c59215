import type { Draft, DraftTree, PageDraft } from './draft.ts';
import { TreeError } from './error.ts';
import type { PageKind } from './node.ts';

/** A position among siblings. `at` counts from 0, without the page itself; larger values mean last. */
export type PagePosition = { beforeId: string } | { afterId: string } | { at: number };

/** Maximum number of child pages. */
export const MAX_CHILDREN = 1000;
/** Maximum number of levels of a tree. */
export const MAX_TREE_LEVELS = 32;

/** The sibling that the position refers to, if any. */
export function siblingIn(position: PagePosition | undefined): string[] {
  if (position === undefined || 'at' in position) return [];
  return ['beforeId' in position ? position.beforeId : position.afterId];
}

/** The index among the children of the parent, not counting the page itself. The default is last. */
export function indexAt(tree: DraftTree, parent: Draft, position: PagePosition | undefined, page?: PageDraft): number {
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

/** The draft of the parent, if it may contain a page of this kind. */
export function parentFor(tree: DraftTree, parentId: string | null, kind: PageKind): Draft {
  if (parentId === null) return tree.root;
  const parent = pageIn(tree, parentId);
  if (kind === 'group') throw new TreeError('BAD_PARENT', 'A group must be at the top level.');
  if (parent.content.kind === 'group' || parent.content.kind === 'document') return parent;
  throw new TreeError(
    'BAD_PARENT',
    `The page "${parentId}" is a ${parent.content.kind} page, which cannot have child pages.`,
  );
}

/** The draft of a page, or throws. */
export function pageIn(tree: DraftTree, pageId: string): PageDraft {
  const page = tree.page(pageId);
  if (page) return page;
  throw new TreeError('UNKNOWN_PAGE', `The page "${pageId}" does not exist.`);
}

/** Throws if the parent has the maximum number of children. */
export function checkModule(parent: Draft): void {
  if (parent.children.length < MAX_CHILDREN) return;
  throw new TreeError(
    'TOO_MANY_CHILDREN',
    `A page can have at most ${MAX_CHILDREN} child pages. Choose another parent.`,
  );
}

/** Throws if a subtree with this number of levels is too deep for the parent. */
export function checkDepth(parent: Draft, levels: number): void {
  if (draftLevel(parent) + levels <= MAX_TREE_LEVELS) return;
  throw new TreeError('TOO_DEEP', `A page tree has at most ${MAX_TREE_LEVELS} levels. Choose a parent further up.`);
}

/** Throws if the parent is in the subtree of the page. */
export function checkOutside(page: PageDraft, parent: Draft): void {
  for (let each: Draft | null = parent; each; each = each.parent) {
    if (each !== page) continue;
    throw new TreeError('CYCLE', `The page "${page.content.pageId}" cannot be moved into itself or a page below it.`);
  }
}

/** The level of a draft: 0 for the root, 1 for pages at the top level. */
export function draftLevel(draft: Draft): number {
  let depth = 0;
  for (let each = draft.parent; each; each = each.parent) depth++;
  return depth;
}
