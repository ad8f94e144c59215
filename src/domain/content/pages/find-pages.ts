import type { Context } from '../../../platform/context/context.ts';
import { findReadPage, findReadPages, type ReadRevision } from '../computed-sources/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { currentContentOf } from './current-content.ts';
import { type PageView, viewOfFound } from './page-view.ts';

/**
 * A page of the current content of a space or change request by its stable id, batched. Null if it does not exist or
 * the caller cannot view it.
 */
export async function currentPage(ctx: Context, ownerId: string, pageId: string): Promise<PageView | null> {
  const revision = await currentContentOf(ctx, ownerId);
  const foundPage = revision && (await findReadPage(ctx, revision, { pageId }));
  return foundPage ? viewOfFound(foundPage, revision) : null;
}

/**
 * The page at a path of a space's primary content, or that had it before. The caller must be able to view the space.
 */
export async function pageAtPath(
  ctx: Context,
  { id, revisionId }: { id: string; revisionId: string },
  path: string,
): Promise<PageView | null> {
  const loaded = await loadRevision(ctx, revisionId);
  const revision = loaded && { ...loaded, currentOf: id };
  const foundPage = revision && (await findReadPage(ctx, revision, { path }));
  return foundPage ? viewOfFound(foundPage, revision) : null;
}

/** Pages of a revision by id, batched, in the given order. Leaves out those that the revision does not have. */
export async function pagesIn(ctx: Context, revision: ReadRevision, pageIds: readonly string[]): Promise<PageView[]> {
  const foundPages = await findReadPages(ctx, revision, pageIds);
  return pageIds.flatMap((pageId) => {
    const foundPage = foundPages.get(pageId);
    return foundPage ? [viewOfFound(foundPage, revision)] : [];
  });
}
