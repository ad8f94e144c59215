import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { authorize, permissions } from '../../people/access/index.ts';
import { commentFor, discussionName, discussionOfIds } from './access.ts';
import { COMMENT_COLUMNS, type CommentRow } from './columns.ts';
import { accepted, commentBody, editOf, readCommentBody } from './comment-body.ts';
import { commentIds, placeOf } from './event-ids.ts';
import { rejectEdit, rejectOthers } from './permissions.ts';
import { changeReactions, reactionInput } from './reactions.ts';
import { placeOfComment } from './text-place.ts';

const seen = permissions.getComment.space;

export const updateComment = command({
  name: 'updateComment',
  description:
    'Edits the body of a comment, which only its author can, resolves or reopens it, and adds or removes your reactions. ' +
    'Omitted fields keep their values.',
  input: z.object({
    ...discussionName,
    commentId: idOf('comment'),
    body: commentBody.nullish().describe('New body of the comment, which is then marked as edited.'),
    resolved: z.boolean().nullish().describe('Set to true to resolve the comment, or to false to reopen it.'),
    ...reactionInput,
  }),
  versioned: 'commentId',
  authorize: async (ctx, { commentId = '', ...ids }, { body }) =>
    rejectEdit(ctx, await commentFor(ctx, { commentId, ...discussionOfIds(ids) }, seen), {
      what: 'comment',
      changesText: body != null,
    }),
  prepare: async (ctx, { body, ...name }) =>
    body == null ? undefined : readCommentBody(ctx, body, placeOfComment(ctx, name, seen)),
  async run(ctx, { commentId, spaceId, changeRequestId, resolved, ...given }, read): Promise<CommentRow> {
    const comment = await commentFor(ctx, { commentId, spaceId, changeRequestId }, seen, 'change');
    if (read !== undefined) rejectOthers(ctx, comment);
    if (resolved != null || given.addedReactions || given.removedReactions) {
      authorize(ctx, comment, { what: 'comment', id: commentId }, permissions.updateComment.space);
    }
    const body = read && accepted(read);
    const reacted = await changeReactions(ctx, comment, given);
    if (body || reacted)
      await recordEvent(ctx, { kind: 'comment_updated', ...placeOf(comment), ids: commentIds(comment) });
    const resolution =
      resolved != null && resolved !== (comment.resolvedAt !== null) ? await resolve(ctx, comment, resolved) : {};
    const changes = { ...(body && editOf(ctx, body)), ...resolution };
    if (Object.keys(changes).length === 0) return comment;
    return ctx.db
      .updateTable('comment')
      .set(changes)
      .where('id', '=', comment.id)
      .returning(COMMENT_COLUMNS)
      .executeTakeFirstOrThrow();
  },
});

/** Records the event of resolving or reopening a comment. Returns the columns to set. */
async function resolve(ctx: Context, comment: CommentRow, resolved: boolean) {
  const event = { ...placeOf(comment), ids: commentIds(comment) };
  if (!resolved) {
    await recordEvent(ctx, { kind: 'comment_reopened', ...event });
    return { resolvedAt: null, resolvedBy: null, updatedAt: nowOf(ctx) };
  }
  await recordEvent(ctx, { kind: 'comment_resolved', ...event });
  return { resolvedAt: nowOf(ctx), resolvedBy: requireUserId(ctx.actor), updatedAt: nowOf(ctx) };
}
