import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { authorize, permissions } from '../../people/access/index.ts';
import { discussionOfIds, replyFor, replyName } from './access.ts';
import type { ReplyRow } from './columns.ts';
import { bodyOrThrow, commentBody, editOf, readCommentBody } from './comment-body.ts';
import { CommentReply } from './entity.ts';
import { eventScope, replyIds } from './event-ids.ts';
import { linkBaseOfReply } from './link-base.ts';
import { rejectEdit } from './permissions.ts';
import { changeReactions, reactionInput } from './reactions.ts';

const seen = permissions.getCommentReply.space;

export const updateCommentReply = command({
  name: 'updateCommentReply',
  scope: 'comment',
  description:
    'Edits the body of a reply, and adds or removes your reactions. Only the author can edit the body. Omitted fields ' +
    'keep their values.',
  input: z.object({
    ...replyName,
    body: commentBody.nullish().describe('New body of the reply. Marks the reply as edited.'),
    ...reactionInput,
  }),
  versioned: 'commentReplyId',
  authorize: async (ctx, { commentReplyId = '', commentId, ...ids }, { body }) => {
    const name = { commentReplyId, commentId: commentId || null, ...discussionOfIds(ids) };
    rejectEdit(ctx, await replyFor(ctx, name, seen), { what: 'reply', changesText: body != null });
  },
  prepare: async (ctx, { body, ...name }) =>
    body == null ? undefined : readCommentBody(ctx, body, linkBaseOfReply(ctx, name, seen)),
  async run(ctx, { body: _, addedReactions, removedReactions, ...name }, read): Promise<ReplyRow> {
    const reply = await replyFor(ctx, name, seen, 'change');
    rejectEdit(ctx, reply, { what: 'reply', changesText: read !== undefined });
    if (addedReactions || removedReactions) {
      authorize(ctx, reply, { what: 'reply', id: reply.id }, permissions.updateCommentReply.space);
    }
    const body = read && bodyOrThrow(read);
    const reacted = await changeReactions(ctx, reply, { addedReactions, removedReactions });
    const edited = entityFromRow(ctx, CommentReply, reply);
    if (body) {
      ctx.em.assign(edited, { ...editOf(ctx, body), updatedAt: nowOf(ctx) });
      await ctx.em.flush();
    }
    if (body || reacted) {
      await recordEvent(ctx, { kind: 'comment_reply_updated', ...eventScope(reply), ids: replyIds(reply) });
    }
    return edited;
  },
});
