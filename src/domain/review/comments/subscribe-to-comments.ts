import type { Context } from '../../../platform/context/context.ts';
import { followEvents } from '../../../platform/events/follow-events.ts';
import { permissions } from '../../people/access/index.ts';
import { type DiscussionName, discussionFor } from './access.ts';

/** Streams new comments of one discussion while the caller may read it. */
export async function subscribeToComments(
  ctx: Context,
  { after, ...name }: DiscussionName & { after?: string | null | undefined },
) {
  let changeRequestId: string | null = null;
  return followEvents(ctx, {
    after,
    concerns: ({ kind, ids, spaceId }) =>
      kind === 'comment_posted' &&
      (changeRequestId === null
        ? spaceId === name.spaceId && ids.changeRequestId === undefined
        : ids.changeRequestId === changeRequestId),
    async authorize(fresh) {
      const discussion = await discussionFor(fresh, name, permissions.listComments.space);
      // Events have the id, but the change request may be named by its number.
      changeRequestId = discussion.changeRequestId;
      return discussion;
    },
  });
}
