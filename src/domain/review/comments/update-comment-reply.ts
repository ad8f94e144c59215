import { sql } from 'kysely';
import { z } from 'zod';
import { notFound } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { writeStatement } from '../../../platform/operation/write-statement.ts';
import { authorize, permissions } from '../../people/access/index.ts';
import { discussionOfIds, replyFor, replyName } from './access.ts';
import { type ReplyRow, replyColumns } from './columns.ts';
import { bodyOrThrow, commentBody, type Edit, editOf, readCommentBody } from './comment-body.ts';
import { eventScope, replyIds } from './event-ids.ts';
import { rejectEdit } from './permissions.ts';
import { changeReactions, reactionInput } from './reactions.ts';
import { placeOfReply } from './text-place.ts';

const seen = permissions.getCommentReply.space;

const update = writeStatement<Edit & Pick<ReplyRow, 'id'>, ReplyRow>(
  (params) => sql`
    update comment_reply c set body = coalesce(${params.body}::json, c.body), markdown = ${params.markdown},
      edited_at = ${params.editedAt}::timestamptz, updated_at = ${params.updatedAt}::timestamptz
    where c.id = ${params.id}
    returning ${replyColumns}`,
);

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
    body == null ? undefined : readCommentBody(ctx, body, placeOfReply(ctx, name, seen)),
  async run(ctx, { body: _, addedReactions, removedReactions, ...name }, read): Promise<ReplyRow> {
    const reply = await replyFor(ctx, name, seen, 'change');
    rejectEdit(ctx, reply, { what: 'reply', changesText: read !== undefined });
    if (addedReactions || removedReactions) {
      authorize(ctx, reply, { what: 'reply', id: reply.id }, permissions.updateCommentReply.space);
    }
    const body = read && bodyOrThrow(read);
    const reacted = await changeReactions(ctx, reply, { addedReactions, removedReactions });
    const event = { kind: 'comment_reply_updated' as const, ...eventScope(reply), ids: replyIds(reply) };
    if (!body) {
      if (reacted) await recordEvent(ctx, event);
      return reply;
    }
    const changed = await update(ctx, { ...reply, ...editOf(ctx, reply, body) }, [event]);
    if (!changed) throw notFound('reply', reply.id);
    return changed;
  },
});
