import type { Context } from '../../../platform/context/context.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { findReadPage } from '../../content/computing/index.ts';
import { type PageView, viewOfFound } from '../../content/pages/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import type { CommentRow } from './columns.ts';

/** The page that a comment refers to, in the current content. Batched. Null if the page was deleted. */
export async function targetPage(ctx: Context, comment: CommentRow): Promise<PageView | null> {
  const { pageId, spaceId, changeRequestId } = comment;
  if (pageId === null) return null;
  const place = await (changeRequestId === null ? loadSpace(ctx, spaceId) : loadChangeRequest(ctx, changeRequestId));
  const revision = place && (await loadRevision(ctx, place.revisionId));
  const found = revision && (await findReadPage(ctx, revision, { pageId }));
  return found ? viewOfFound(found, revision) : null;
}
