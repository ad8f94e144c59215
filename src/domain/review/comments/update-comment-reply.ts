import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { authorize, permissions } from '../../people/access/index.ts';
import { discussionOfIds, replyFor, replyName } from './access.ts';
import { REPLY_COLUMNS, type ReplyRow } from './columns.ts';
import { accepted, commentBody, editOf, readCommentBody } from './comment-body.ts';
import { placeOf, replyIds } from './event-ids.ts';
import { rejectEdit, rejectOthers } from './permissions.ts';
import { changeReactions, reactionInput } from './reactions.ts';
import { placeOfReply } from './text-place.ts';

const seen = permissions.getCommentReply.space;

export const updateCommentReply = command({
  name: 'updateCommentReply',
  description:
    'Edits the body of a reply, which only its author can, and adds or removes your reactions. Omitted fields ' +
    'keep their values.',
  input: z.object({
    ...replyName,
    body: commentBody.nullish().describe('New body of the reply, which is then marked as edited.'),
    ...reactionInput,
  }),
  versioned: 'commentReplyId',
  authorize: async (ctx, { commentReplyId = '', commentId, ...ids }, { body }) => {
    const name = { commentReplyId, commentId: commentId || null, ...discussionOfIds(ids) };
    rejectEdit(ctx, await replyFor(ctx, name, seen), { what: 'reply', changesText: body != null });
  },
  prepare: async (ctx, { body, ...name }) =>
    body == null ? undefined : readCommentBody(ctx, body, placeOfReply(ctx, name, seen)),
  async run(ctx, { body: _, addedReactions, removedReactions, ...name }, read): Promise<ReplyRow> {
    const reply = await replyFor(ctx, name, seen, 'change');
    if (read !== undefined) rejectOthers(ctx, reply);
    if (addedReactions || removedReactions) {
      authorize(ctx, reply, { what: 'reply', id: reply.id }, permissions.updateCommentReply.space);
    }
    const body = read && accepted(read);
    const reacted = await changeReactions(ctx, reply, { addedReactions, removedReactions });
    if (body || reacted) {
      await recordEvent(ctx, { kind: 'comment_reply_updated', ...placeOf(reply), ids: replyIds(reply) });
    }
    if (!body) return reply;
    return ctx.db
      .updateTable('comment_reply')
      .set(editOf(ctx, body))
      .where('id', '=', reply.id)
      .returning(REPLY_COLUMNS)
      .executeTakeFirstOrThrow();
  },
});
