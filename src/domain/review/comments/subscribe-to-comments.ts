import type { Context } from '../../../platform/context/context.ts';
import { permissions } from '../../people/access/index.ts';
import { type FollowedDiscussion, followDiscussion, isInDiscussion } from './follow-discussion.ts';

/** Streams new comments of one discussion while the caller may read it. */
export const subscribeToComments = (ctx: Context, followed: FollowedDiscussion) =>
  followDiscussion(ctx, followed, {
    needed: permissions.listComments.space,
    concerns: (event, place) => event.kind === 'comment_posted' && isInDiscussion(event, place),
  });
