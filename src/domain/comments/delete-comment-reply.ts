import { z } from 'zod';
import { orNull } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/record-event.ts';
import { command } from '../../platform/operation.ts';
import { needs } from '../access/index.ts';
import { commentFor, refuseHiddenParent, replyFor, replyName } from './access.ts';
import { placeOf, replyIds } from './event-ids.ts';
import { refuseDeletion } from './permissions.ts';

const seen = needs.getCommentReply.space;

export const deleteCommentReply = command({
  name: 'deleteCommentReply',
  description: 'Deletes a reply to a comment. Its author and admins of the space can.',
  input: z.object(replyName),
  async run(ctx, { commentReplyId, commentId, ...discussion }) {
    await refuseHiddenParent(ctx, discussion);
    if (commentId != null) await commentFor(ctx, { commentId, ...discussion }, seen);
    const reply = await orNull(replyFor(ctx, { commentReplyId, commentId, ...discussion }, seen, 'change'));
    if (!reply) return { deletedId: null, commentId: null };
    refuseDeletion(ctx, reply);
    await ctx.db.deleteFrom('comment_reaction').where('subject_id', '=', reply.id).execute();
    await ctx.db.deleteFrom('comment_reply').where('id', '=', reply.id).execute();
    await recordEvent(ctx, { kind: 'comment_reply_deleted', ...placeOf(reply), ids: replyIds(reply) });
    return { deletedId: reply.id, commentId: reply.comment_id };
  },
});
