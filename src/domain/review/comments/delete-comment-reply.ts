import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { commentFor, discussionOfIds, type ReplyName, rejectHiddenParent, replyFor, replyName } from './access.ts';
import { eventScope, replyIds } from './event-ids.ts';
import { rejectDeletion } from './permissions.ts';

const seen = permissions.getCommentReply.space;

export const deleteCommentReply = command({
  name: 'deleteCommentReply',
  scope: 'comment',
  description: 'Deletes a reply to a comment. Requires being the author of the reply or an admin of the space.',
  input: z.object(replyName),
  versioned: 'commentReplyId',
  authorize: (ctx, { commentReplyId = '', commentId, ...ids }) =>
    deletable(ctx, { commentReplyId, commentId: commentId || null, ...discussionOfIds(ids) }),
  async run(ctx, name) {
    const reply = await deletable(ctx, name, 'change');
    if (!reply) return { deletedId: null, commentId: null };
    await ctx.db.deleteFrom('comment_reaction').where('subjectId', '=', reply.id).execute();
    await ctx.db.deleteFrom('comment_reply').where('id', '=', reply.id).execute();
    await recordEvent(ctx, { kind: 'comment_reply_deleted', ...eventScope(reply), ids: replyIds(reply) });
    return { deletedId: reply.id, commentId: reply.commentId };
  },
});

/** The reply if the caller may delete it. Null if it does not exist or is hidden. */
async function deletable(ctx: Context, name: ReplyName, use: 'read' | 'change' = 'read') {
  const { commentReplyId: _, commentId, ...discussion } = name;
  await rejectHiddenParent(ctx, discussion);
  if (commentId != null) await commentFor(ctx, { commentId, ...discussion }, seen);
  const reply = await orNull(replyFor(ctx, name, seen, use));
  if (reply) rejectDeletion(ctx, reply);
  return reply;
}
