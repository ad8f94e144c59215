import type { Context } from '../../../platform/context/context.ts';
import { permissions } from '../../people/access/index.ts';
import { type FollowedDiscussion, followDiscussion, isInDiscussion } from '../comments/index.ts';

/** Streams the events of all comments and replies of one discussion while the caller may read it. */
export const subscribeToCommentChanges = (ctx: Context, followed: FollowedDiscussion) =>
  followDiscussion(ctx, followed, {
    needed: permissions.listComments.space,
    concerns: (event, place) => event.kind.startsWith('comment_') && isInDiscussion(event, place),
  });
