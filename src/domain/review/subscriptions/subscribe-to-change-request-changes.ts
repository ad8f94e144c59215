import type { Context } from '../../../platform/context/context.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { permissions } from '../../people/access/index.ts';
import { type FollowedDiscussion, followDiscussion } from '../comments/index.ts';

/**
 * Streams what happens to one change request or to all of a space, with reviews and comments, while the caller may read
 * them.
 */
export const subscribeToChangeRequestChanges = (ctx: Context, followed: FollowedDiscussion) =>
  followDiscussion(ctx, followed, {
    needed: permissions.listChangeRequests.space,
    concerns: (event, { spaceId, changeRequestId }) =>
      isOfChangeRequest(event) &&
      (changeRequestId === null ? event.spaceId === spaceId : event.ids.changeRequestId === changeRequestId),
  });

/** A merge and an import also record what happens to other things, with the id of the change request. */
const isOfChangeRequest = ({ kind, ids }: EventRow): boolean =>
  kind.startsWith('change_request_') || (kind.startsWith('comment_') && ids.changeRequestId !== undefined);
