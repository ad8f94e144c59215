import { diffTrees, type TreeDifference } from '../../../lib/tree/diff.ts';
import type { Context } from '../../../platform/context/context.ts';
import { requestCache } from '../../../platform/reads/request-cache.ts';
import { toHex } from '../../store/revisions/index.ts';
import { nodeLoader, visibleComputedPages, visibleReadingOrder } from '../../store/trees/index.ts';
import { computedPageIds, type ReadRevision } from '../computed-sources/index.ts';
import { idInCurrentContent } from './current-content.ts';
import { pagesIn } from './find-pages.ts';
import { type PageView, pagesBelow, treeOf } from './page-view.ts';
import { wholeTreeOf } from './whole-tree.ts';

/** An edit of the current content of a space or change request, by the revisions before and after it. */
export interface ContentStep {
  /** ID of the space or change request. */
  ownerId: string;
  before: ReadRevision;
  after: ReadRevision;
}

/** The pages that an edit inserted, changed or moved, by level. */
export async function changedPages(ctx: Context, step: ContentStep): Promise<PageView[]> {
  return pagesIn(ctx, contentAfter(step), changedIds(await differenceOf(ctx, step)));
}

/** The plain ids of the same pages. */
export const changedPageIds = async (ctx: Context, step: ContentStep): Promise<string[]> =>
  changedIds(await differenceOf(ctx, step));

/**
 * IDs of the nodes of the pages that an edit deleted, including those that a source computed below them. In proportion
 * to the difference.
 */
export async function deletedPageIds(ctx: Context, step: ContentStep): Promise<string[]> {
  const { deleted, changed } = await differenceOf(ctx, step);
  const { organizationId } = step.after;
  const computedIn = async (nodes: TreeDifference['deleted']) =>
    (await Promise.all(nodes.map(({ node }) => computedPageIds(ctx, organizationId, node)))).flat();
  const withNewSource = changed.filter(({ fields }) => fields.includes('computed'));
  const [below, former, present] = await Promise.all([
    computedIn(deleted),
    computedIn(withNewSource.map(({ before }) => before)),
    computedIn(withNewSource.map(({ after }) => after)),
  ]);
  const deletedIds = new Set([...deleted.map(({ pageId }) => pageId), ...below, ...former]);
  for (const pageId of present) deletedIds.delete(pageId);
  return [...deletedIds].map((pageId) => idInCurrentContent(pageId, step.ownerId));
}

/**
 * Other pages whose fields change when pages are inserted, moved, renamed or deleted: their parents have other child
 * pages, the pages below them another path, and their neighbors another previous or next page. Without those in
 * `excludedIds`.
 */
export async function relatedPages(
  ctx: Context,
  step: ContentStep,
  excludedIds: Iterable<string>,
): Promise<PageView[]> {
  const difference = await differenceOf(ctx, step);
  const content = contentAfter(step);
  const neighborIds = hasNewOrder(difference) ? await idsWithNewNeighbors(ctx, step, difference) : [];
  const [changedViews, others] = await Promise.all([
    pagesIn(ctx, content, changedIds(difference)),
    pagesIn(ctx, content, [...new Set([...parentIds(difference), ...neighborIds])]),
  ]);
  const withNewPath = idsWithNewPath(difference);
  const tops = changedViews.filter(({ page }) => withNewPath.has(page.pageId));
  const below = (await Promise.all(tops.map((view) => pagesBelow(ctx, view)))).flat();
  const views = new Map([...changedViews, ...others, ...below].map((view) => [view.page.pageId, view]));
  for (const pageId of excludedIds) views.delete(pageId);
  return [...views.values()];
}

const contentAfter = ({ after, ownerId }: ContentStep): ReadRevision => ({ ...after, currentOf: ownerId });

const differenceOf = (ctx: Context, { before, after }: ContentStep): Promise<TreeDifference> =>
  requestCache(ctx, `page changes:${before.id}:${after.id}`, () =>
    diffTrees(toHex(before.rootHash), toHex(after.rootHash), nodeLoader(ctx, after.organizationId)),
  );

const changedIds = ({ inserted, changed, moved }: TreeDifference): string[] => [
  ...new Set([...inserted, ...[...changed, ...moved].map(({ after }) => after)].map(({ pageId }) => pageId)),
];

/** The pages that have gained, lost or reordered child pages. */
function parentIds({ inserted, deleted, moved }: TreeDifference): string[] {
  const placed = [...inserted, ...deleted, ...moved.flatMap(({ before, after }) => [before, after])];
  return [...new Set(placed.flatMap(({ parentId }) => parentId ?? []))];
}

const idsWithNewPath = ({ changed, moved }: TreeDifference): Set<string> =>
  new Set([
    ...changed.filter(({ fields }) => fields.includes('slug')).map(({ after }) => after.pageId),
    ...moved.filter(({ before, after }) => before.parentId !== after.parentId).map(({ after }) => after.pageId),
  ]);

const hasNewOrder = ({ inserted, deleted, moved, changed }: TreeDifference): boolean =>
  inserted.length + deleted.length + moved.length > 0 ||
  changed.some(({ fields }) => fields.includes('hidden') || fields.includes('computed'));

/** Pages with another previous or next page. Can include deleted pages. */
async function idsWithNewNeighbors(
  ctx: Context,
  { before, after }: ContentStep,
  { deleted, changed }: TreeDifference,
): Promise<string[]> {
  const isComputed =
    [...deleted, ...changed.map((pair) => pair.before)].some(({ node }) => node.kind === 'computed') ||
    (await visibleComputedPages(ctx, after)).length > 0;
  // An edit has mostly left the order of its result in the cache. The tree of that is no longer a head, and slow to
  // read.
  const orderOf = async (revision: ReadRevision) =>
    isComputed ? wholeTreeOf(await treeOf(ctx, revision)).order : visibleReadingOrder(ctx, revision);
  const [former, present] = await Promise.all([orderOf(before), orderOf(after)]);
  const removedIds = former.pageIds.filter((pageId) => !present.places.has(pageId));
  const differing = present.pageIds.filter((pageId, place) => {
    const formerPlace = former.places.get(pageId);
    if (formerPlace === undefined) return true;
    return [-1, 1].some((step) => former.pageIds[formerPlace + step] !== present.pageIds[place + step]);
  });
  return [...differing, ...removedIds];
}
