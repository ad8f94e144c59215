import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { authorize, permissions } from '../../people/access/index.ts';
import { commentFor, discussionName, discussionOfIds } from './access.ts';
import type { CommentRow } from './columns.ts';
import { bodyOrThrow, commentBody, editOf, readCommentBody } from './comment-body.ts';
import { Comment } from './entity.ts';
import { commentIds, eventScope } from './event-ids.ts';
import { linkBaseOfComment } from './link-base.ts';
import { rejectEdit } from './permissions.ts';
import { changeReactions, reactionInput } from './reactions.ts';

const seen = permissions.getComment.space;

export const updateComment = command({
  name: 'updateComment',
  scope: 'comment',
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
    body == null ? undefined : readCommentBody(ctx, body, linkBaseOfComment(ctx, name, seen)),
  async run(ctx, { commentId, spaceId, changeRequestId, resolved, ...changes }, read): Promise<CommentRow> {
    const comment = await commentFor(ctx, { commentId, spaceId, changeRequestId }, seen, 'change');
    rejectEdit(ctx, comment, { what: 'comment', changesText: read !== undefined });
    if (resolved != null || changes.addedReactions || changes.removedReactions) {
      authorize(ctx, comment, { what: 'comment', id: commentId }, permissions.updateComment.space);
    }
    const body = read && bodyOrThrow(read);
    const reacted = await changeReactions(ctx, comment, changes);
    const isResolved = comment.resolvedAt !== null;
    const resolution = resolved == null || resolved === isResolved ? undefined : resolutionOf(ctx, resolved);
    const updated = { kind: 'comment_updated' as const, ...eventScope(comment), ids: commentIds(comment) };
    const edited = entityFromRow(ctx, Comment, comment);
    if (body || resolution) {
      ctx.em.assign(edited, { ...editOf(ctx, body), ...resolution?.set, updatedAt: nowOf(ctx) });
      await ctx.em.flush();
    }
    if (body || reacted) await recordEvent(ctx, updated);
    if (resolution) await recordEvent(ctx, { ...updated, kind: resolution.kind });
    return edited;
  },
});

const resolutionOf = (ctx: Context, resolved: boolean) =>
  resolved
    ? { kind: 'comment_resolved' as const, set: { resolvedAt: nowOf(ctx), resolvedBy: requireUserId(ctx.actor) } }
    : { kind: 'comment_reopened' as const, set: { resolvedAt: null, resolvedBy: null } };
