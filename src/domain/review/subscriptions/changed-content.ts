import type { Context } from '../../../platform/context/context.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import {
  type ContentStep,
  changedPageIds,
  currentContentOf,
  deletedPageIds,
  type PageView,
  pagesIn,
} from '../../content/pages/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';

/** Maximum number of pages, and of deleted pages, that one event names. */
export const MAX_PAGES_OF_EVENT = 100;

/** The pages that an event changed, as they are now, and the IDs of those that it deleted. */
export interface ChangedContent {
  pages: PageView[];
  deletedPageIds: string[];
  hasMorePages: boolean;
}

/**
 * What the edit of an event did to the pages of a space or change request. Null for other events, and if the caller may
 * not read the history of the content.
 */
export async function changedContent(ctx: Context, { kind, spaceId, ids }: EventRow): Promise<ChangedContent | null> {
  const ownerId = kind === 'space_content_updated' ? spaceId : ids.changeRequestId;
  const isEdit = kind === 'space_content_updated' || kind === 'change_request_content_updated';
  const step = isEdit && ownerId != null ? await stepTo(ctx, ownerId, ids.revisionId) : undefined;
  const content = step && (await currentContentOf(ctx, step.ownerId));
  if (!step || !content) return null;
  const [changed, deleted] = await Promise.all([changedPageIds(ctx, step), deletedPageIds(ctx, step)]);
  return {
    pages: await pagesIn(ctx, content, changed.slice(0, MAX_PAGES_OF_EVENT)),
    deletedPageIds: deleted.slice(0, MAX_PAGES_OF_EVENT),
    hasMorePages: Math.max(changed.length, deleted.length) > MAX_PAGES_OF_EVENT,
  };
}

/** The step from the first parent of a revision, which is the content before the edit, a merge or an update. */
async function stepTo(ctx: Context, ownerId: string, revisionId: string | undefined): Promise<ContentStep | undefined> {
  const after = revisionId === undefined ? undefined : await loadRevision(ctx, revisionId);
  const beforeId = after?.parents[0];
  const before = beforeId === undefined ? undefined : await loadRevision(ctx, beforeId);
  return after && before && { ownerId, before, after };
}
