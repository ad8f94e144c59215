import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { type CommentName, commentFor, discussionName, discussionOfIds, rejectHiddenParent } from './access.ts';
import { commentIds, eventScope } from './event-ids.ts';
import { rejectDeletion } from './permissions.ts';

export const deleteComment = command({
  name: 'deleteComment',
  scope: 'comment',
  description: 'Deletes a comment and its replies. Requires being the author of the comment or an admin of the space.',
  input: z.object({ ...discussionName, commentId: idOf('comment') }),
  versioned: 'commentId',
  authorize: (ctx, { commentId = '', ...ids }) => deletable(ctx, { commentId, ...discussionOfIds(ids) }),
  async run(ctx, name) {
    const { commentId } = name;
    const comment = await deletable(ctx, name, 'change');
    if (!comment) return { deletedId: null, spaceId: null, changeRequestId: null };
    // Replies first: a reaction that another request adds meanwhile is seen only once its reply is locked.
    const replies = await ctx.db
      .deleteFrom('comment_reply')
      .where('commentId', '=', commentId)
      .returning('id')
      .execute();
    const subjects = [commentId, ...replies.map(({ id }) => id)];
    await ctx.db.deleteFrom('comment_reaction').where('subjectId', '=', anyOf(subjects)).execute();
    await ctx.db.deleteFrom('comment').where('id', '=', commentId).execute();
    await recordEvent(ctx, { kind: 'comment_deleted', ...eventScope(comment), ids: commentIds(comment) });
    return { deletedId: commentId, spaceId: comment.spaceId, changeRequestId: comment.changeRequestId };
  },
});

/** The comment, if the caller may delete it; null where there is none to be seen. */
async function deletable(ctx: Context, { commentId, ...discussion }: CommentName, use: 'read' | 'change' = 'read') {
  await rejectHiddenParent(ctx, discussion);
  const comment = await orNull(commentFor(ctx, { commentId, ...discussion }, permissions.getComment.space, use));
  if (comment) rejectDeletion(ctx, comment);
  return comment;
}
