import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { writeStatement } from '../../../platform/write-statement.ts';
import { type AccessSeen, accessHeld, authorize, permissions } from '../../people/access/index.ts';
import { commentFor, discussionName, discussionOfIds } from './access.ts';
import { type CommentRow, commentColumns } from './columns.ts';
import { accepted, commentBody, type Edit, editOf, readCommentBody } from './comment-body.ts';
import { commentIds, placeOf } from './event-ids.ts';
import { rejectEdit } from './permissions.ts';
import { changeReactions, hasNoReactions, reactionInput } from './reactions.ts';
import { placeOfComment } from './text-place.ts';

const seen = permissions.getComment.space;

type Changes = AccessSeen & Edit & Pick<CommentRow, 'id' | 'version' | 'resolvedAt' | 'resolvedBy'>;

const update = writeStatement<Changes, CommentRow>(
  (its) => sql`
    update comment c set body = coalesce(${its.body}::json, c.body), markdown = ${its.markdown},
      edited_at = ${its.editedAt}::timestamptz, updated_at = ${its.updatedAt}::timestamptz,
      resolved_at = ${its.resolvedAt}::timestamptz, resolved_by = ${its.resolvedBy}
    from ${accessHeld(its)} held
    where c.id = ${its.id} and c.version = ${its.version}
    returning ${commentColumns}`,
);

export const updateComment = command({
  name: 'updateComment',
  description:
    'Edits the body of a comment, resolves or reopens it, and adds or removes your reactions. Only the author can edit the body. ' +
    'Omitted fields keep their values.',
  input: z.object({
    ...discussionName,
    commentId: idOf('comment'),
    body: commentBody.nullish().describe('New body of the comment. Marks the comment as edited.'),
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
  writesOnce: hasNoReactions,
  async run(ctx, { commentId, spaceId, changeRequestId, resolved, ...given }, read): Promise<CommentRow> {
    const comment = await commentFor(ctx, { commentId, spaceId, changeRequestId }, seen, 'change');
    rejectEdit(ctx, comment, { what: 'comment', changesText: read !== undefined });
    if (resolved != null || given.addedReactions || given.removedReactions) {
      authorize(ctx, comment, { what: 'comment', id: commentId }, permissions.updateComment.space);
    }
    const body = read && accepted(read);
    const reacted = await changeReactions(ctx, comment, given);
    const isResolved = comment.resolvedAt !== null;
    const resolution = resolved == null || resolved === isResolved ? undefined : resolutionOf(ctx, resolved);
    const updated = { kind: 'comment_updated' as const, ...placeOf(comment), ids: commentIds(comment) };
    if (!body && !resolution) {
      if (reacted) await recordEvent(ctx, updated);
      return comment;
    }
    const events = [
      ...(body || reacted ? [updated] : []),
      ...(resolution ? [{ ...updated, kind: resolution.kind }] : []),
    ];
    const changed = await update(ctx, { ...comment, ...editOf(ctx, comment, body), ...resolution }, events);
    if (!changed) throw notFound('comment', commentId);
    return changed;
  },
});

const resolutionOf = (ctx: Context, resolved: boolean) =>
  resolved
    ? { kind: 'comment_resolved' as const, resolvedAt: nowOf(ctx), resolvedBy: requireUserId(ctx.actor) }
    : { kind: 'comment_reopened' as const, resolvedAt: null, resolvedBy: null };
