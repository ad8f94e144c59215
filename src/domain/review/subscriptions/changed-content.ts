import type { Context } from '../../../platform/context/context.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import {
  changedPageIds,
  currentContentOf,
  deletedPageIds,
  type PageView,
  pagesIn,
  relatedPages,
} from '../../content/pages/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { hasRoleOnSpace } from '../../places/spaces/index.ts';

/** Maximum number of pages, of related pages and of deleted pages that one event names. */
export const MAX_PAGES_OF_EVENT = 100;

/** The pages that an event changed, as they are now, and the IDs of those that it deleted. */
export interface ChangedContent {
  pages: PageView[];
  /** Other pages with fields that changed, such as the path. */
  relatedPages: PageView[];
  deletedPageIds: string[];
  hasMorePages: boolean;
}

/** For events whose revisions are unknown, such as those that an earlier version recorded. */
const UNKNOWN_PAGES: ChangedContent = { pages: [], relatedPages: [], deletedPageIds: [], hasMorePages: true };

/**
 * What the edit of an event did to the pages of a space or change request. Null for other events, and if the caller may
 * not read the history of the content.
 */
export async function changedContent(ctx: Context, { kind, spaceId, ids }: EventRow): Promise<ChangedContent | null> {
  const isEdit = kind === 'space_content_updated' || kind === 'change_request_content_updated';
  if (!isEdit || spaceId === null || !(await hasRoleOnSpace(ctx, spaceId))) return null;
  const ownerId = kind === 'space_content_updated' ? spaceId : ids.changeRequestId;
  const content = ownerId === undefined ? undefined : await currentContentOf(ctx, ownerId);
  if (ownerId === undefined || !content) return null;
  const [before, after] = await Promise.all([revisionOf(ctx, ids.previousRevisionId), revisionOf(ctx, ids.revisionId)]);
  if (!before || !after) return UNKNOWN_PAGES;
  const step = { ownerId, before, after };
  const [changed, deleted] = await Promise.all([changedPageIds(ctx, step), deletedPageIds(ctx, step)]);
  const related = (await relatedPages(ctx, step, changed)).map(({ page }) => page.pageId);
  const named = (pageIds: string[]) => pagesIn(ctx, content, pageIds.slice(0, MAX_PAGES_OF_EVENT));
  return {
    pages: await named(changed),
    relatedPages: await named(related),
    deletedPageIds: deleted.slice(0, MAX_PAGES_OF_EVENT),
    hasMorePages: [changed, related, deleted].some(({ length }) => length > MAX_PAGES_OF_EVENT),
  };
}

const revisionOf = (ctx: Context, id: string | undefined) => (id === undefined ? undefined : loadRevision(ctx, id));
