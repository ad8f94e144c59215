import { sql } from 'kysely';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import type { Discussion } from './access.ts';
import { type CommentRow, commentColumns } from './columns.ts';
import type { PreparedBody } from './comment-body.ts';
import { commentIds, placeOf } from './event-ids.ts';
import type { Target } from './target.ts';

/**
 * Inserts a comment of the caller, whose access and target were checked before. The statement locks the space and throws
 * NOT_FOUND if the space was transferred or deleted in the meantime.
 */
export async function insertComment(
  ctx: Context,
  { organizationId, spaceId, changeRequestId, revisionId }: Discussion,
  { json, markdown, pageId, node, tableCell, reviewId }: PreparedBody & Target,
): Promise<CommentRow> {
  const { rows } = await sql<CommentRow>`
    insert into comment as c (id, organization_id, space_id, change_request_id, revision_id, review_id, page_id, node_id,
      table_record, table_definition, body, markdown, posted_by, posted_at)
    select ${newId('comment')}, s.organization_id, s.id, ${changeRequestId}, ${revisionId}, ${reviewId ?? null},
      ${pageId ?? null}, ${node ?? null}, ${tableCell?.record ?? null}, ${tableCell?.definition ?? null},
      ${json}::json, ${markdown}, ${requireUserId(ctx.actor)}, ${nowOf(ctx)}::timestamptz
    from space s
    where s.id = ${spaceId} and s.organization_id = ${organizationId} and s.deleted_at is null
    for key share
    returning ${commentColumns}`.execute(ctx.db);
  const [comment] = rows;
  if (!comment) throw notFound('space', spaceId);
  await recordEvent(ctx, { kind: 'comment_posted', ...placeOf(comment), ids: commentIds(comment) });
  return comment;
}
