import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { followEvents } from '../../../platform/events/follow-events.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { type Discussion, type DiscussionName, discussionFor } from './access.ts';

/** Arguments of subscriptions that name a space or a change request. */
export type FollowedDiscussion = DiscussionName & { after?: string | null | undefined };

export type DiscussionPlace = Pick<Discussion, 'spaceId' | 'changeRequestId'>;

interface Selection {
  needed: Role;
  concerns(event: EventRow, place: DiscussionPlace): boolean;
}

/** Streams events of a space or a change request while the caller has the role `needed` on the space. */
export async function followDiscussion(
  ctx: Context,
  { after, ...name }: FollowedDiscussion,
  { needed, concerns }: Selection,
): Promise<AsyncGenerator<EventRow, void>> {
  // Events have the id of a change request, which may be named by its number.
  let place: DiscussionPlace | undefined;
  return followEvents(ctx, {
    after,
    concerns: (event) => place !== undefined && concerns(event, place),
    async authorize(fresh) {
      const discussion = await discussionFor(fresh, name, needed);
      place = discussion;
      return discussion;
    },
  });
}

/** Whether an event of a comment or a reply belongs to a discussion. */
export const isInDiscussion = ({ spaceId, ids }: EventRow, place: DiscussionPlace): boolean =>
  place.changeRequestId === null
    ? spaceId === place.spaceId && ids.changeRequestId === undefined
    : ids.changeRequestId === place.changeRequestId;
