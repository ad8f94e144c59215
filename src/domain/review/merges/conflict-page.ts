import type { Context } from '../../../platform/context/context.ts';
import { currentContentOf, type PageView, viewOf } from '../../content/pages/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { findVisiblePage } from '../../store/trees/index.ts';
import type { ShownConflict } from './conflicts-of.ts';

/**
 * The page of a conflict about a page: in the primary content or else in the change request or their common ancestor.
 */
export async function conflictPage(
  ctx: Context,
  { target: { type, id: pageId }, versions: { base, ours, theirs } }: ShownConflict,
): Promise<PageView | null> {
  if (type !== 'page' || pageId === null) return null;
  for (const revision of [theirs, ours, base]) {
    const page = await findVisiblePage(ctx, revision, { pageId });
    if (page) return viewOf(page, await readAsCurrent(ctx, revision));
  }
  return null;
}

/** The current content of the space or change request, if the revision is that. Otherwise the revision itself. */
async function readAsCurrent(ctx: Context, revision: RevisionRow) {
  const current = await currentContentOf(ctx, revision.changeRequestId ?? revision.spaceId);
  return current?.id === revision.id ? current : revision;
}
