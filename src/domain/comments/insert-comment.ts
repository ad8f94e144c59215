import { requireUserId } from '../../platform/access/actor.ts';
import { type Context, nowOf } from '../../platform/context.ts';
import { recordEvent } from '../../platform/events/record-event.ts';
import { newId } from '../../platform/ids.ts';
import type { Discussion } from './access.ts';
import { COMMENT_COLUMNS, type CommentRow } from './columns.ts';
import type { PreparedBody } from './comment-body.ts';
import { commentIds, placeOf } from './event-ids.ts';
import type { Target } from './target.ts';

/** A comment of the caller in a discussion whose space is held; what it is about was looked at before. */
export async function insertComment(
  ctx: Context,
  discussion: Discussion,
  { body, markdown, pageId, node, tableCell, reviewId }: PreparedBody & Target,
): Promise<CommentRow> {
  const comment = await ctx.db
    .insertInto('comment')
    .values({
      id: newId('comment'),
      organization_id: discussion.organizationId,
      space_id: discussion.spaceId,
      change_request_id: discussion.changeRequestId,
      revision_id: discussion.revisionId,
      review_id: reviewId ?? null,
      page_id: pageId ?? null,
      node_id: node ?? null,
      table_record: tableCell?.record ?? null,
      table_definition: tableCell?.definition ?? null,
      body: JSON.stringify(body),
      markdown,
      posted_by: requireUserId(ctx.actor),
      posted_at: nowOf(ctx),
    })
    .returning(COMMENT_COLUMNS)
    .executeTakeFirstOrThrow();
  await recordEvent(ctx, { kind: 'comment_posted', ...placeOf(comment), ids: commentIds(comment) });
  return comment;
}
