import { sql } from 'kysely';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { writeStatement } from '../../../platform/write-statement.ts';
import { accessHeld } from '../../people/access/index.ts';
import { userOfColumn } from '../../people/users/index.ts';
import type { DiscussionToWrite } from './access.ts';
import { type CommentRow, commentColumns, withAuthor } from './columns.ts';
import type { PreparedBody } from './comment-body.ts';
import { commentIds, placeOf } from './event-ids.ts';
import type { Target } from './target.ts';

type NewComment = DiscussionToWrite &
  Omit<CommentRow, 'revisionId' | 'author' | 'editedAt' | 'updatedAt' | 'version' | 'resolvedAt' | 'resolvedBy'>;

/** Locks the space, and inserts nothing if it was transferred or deleted. */
const insert = writeStatement<NewComment & { body: string }, CommentRow>((its) => ({
  change: sql`
    insert into comment as c (id, organization_id, space_id, change_request_id, revision_id, review_id, page_id, node_id,
      table_record, table_definition, body, markdown, posted_by, posted_at)
    select ${its.id}, s.organization_id, s.id, ${its.changeRequestId},
      coalesce(${its.revisionId}, s.revision_id), ${its.reviewId}, ${its.pageId},
      ${its.nodeId}, ${its.tableRecord}, ${its.tableDefinition}, ${its.body}::json, ${its.markdown}, ${its.postedBy},
      ${its.postedAt}::timestamptz
    from ${accessHeld(its)} held, space s
    where s.id = ${its.spaceId} and s.organization_id = ${its.organizationId} and s.deleted_at is null
    for key share of s
    returning ${commentColumns}`,
  shown: userOfColumn('postedBy'),
}));

/**
 * Inserts a comment of the caller, whose access and target were checked before. NOT_FOUND if the space was transferred or
 * deleted in the meantime.
 */
export async function insertComment(
  ctx: Context,
  discussion: DiscussionToWrite,
  { json, markdown, pageId, node, tableCell, reviewId }: PreparedBody & Target,
): Promise<CommentRow> {
  const id = newId('comment');
  const row = {
    ...discussion,
    id,
    reviewId: reviewId ?? null,
    pageId: pageId ?? null,
    nodeId: node ?? null,
    tableRecord: tableCell?.record ?? null,
    tableDefinition: tableCell?.definition ?? null,
    body: json,
    markdown,
    postedBy: requireUserId(ctx.actor),
    postedAt: nowOf(ctx),
  };
  const event = { kind: 'comment_posted' as const, ...placeOf(row), ids: commentIds(row) };
  const comment = await insert(ctx, row, [event]);
  if (!comment) throw notFound('space', discussion.spaceId);
  return withAuthor(comment);
}
