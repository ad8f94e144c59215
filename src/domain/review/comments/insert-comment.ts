import { sql } from 'kysely';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { writeStatement } from '../../../platform/events/write-statement.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { accessAdvisoryLock } from '../../people/access/index.ts';
import { userOfColumn } from '../../people/users/index.ts';
import type { Discussion } from './access.ts';
import { type CommentRow, commentColumns, withAuthor } from './columns.ts';
import type { PreparedBody } from './comment-body.ts';
import { commentIds, eventScope } from './event-ids.ts';
import type { CommentTargetInput } from './target.ts';

type NewComment = Omit<CommentRow, 'author' | 'editedAt' | 'updatedAt' | 'version' | 'resolvedAt' | 'resolvedBy'> & {
  body: string;
  /** Version of the access that was decided on. Null in transactions, which hold it. */
  accessVersion: string | null;
};

const insert = writeStatement<NewComment, CommentRow>((params) => ({
  change: sql`
    insert into comment as c (id, organization_id, space_id, change_request_id, revision_id, review_id, page_id, node_id,
      table_record, table_definition, body, markdown, posted_by, posted_at)
    select ${params.id}, ${params.organizationId}, ${params.spaceId}, ${params.changeRequestId}, ${params.revisionId},
      ${params.reviewId}, ${params.pageId}, ${params.nodeId}, ${params.tableRecord}, ${params.tableDefinition},
      ${params.body}::json, ${params.markdown}, ${params.postedBy}, ${params.postedAt}::timestamptz
    where ${params.accessVersion}::text is null or exists (
      select from access_version av
      where av.organization_id = ${params.organizationId} and av.version = ${params.accessVersion}
        and ${sql.raw(accessAdvisoryLock('av.organization_id', 'for share'))} is not null
      for share)
    returning ${commentColumns}`,
  returned: userOfColumn('postedBy'),
}));

/**
 * Inserts a comment of the caller, whose access and target were checked in the same transaction. The transaction holds
 * the version of the access, so that the space cannot be transferred or deleted before the commit.
 */
export async function insertComment(
  ctx: Context,
  discussion: Discussion,
  content: PreparedBody & CommentTargetInput,
): Promise<CommentRow> {
  const comment = await insertUnlessStale(ctx, { ...discussion, accessVersion: null }, content);
  if (!comment) throw new Error('insertComment: the insert returned no row.');
  return comment;
}

/**
 * Inserts a comment outside of transactions. Undefined, with nothing written, if the access has changed since it was
 * decided.
 */
export async function insertUnlessStale(
  ctx: Context,
  discussion: Discussion & { accessVersion: string | null },
  { body, markdown, pageId, node, tableCell, reviewId }: PreparedBody & CommentTargetInput,
): Promise<CommentRow | undefined> {
  const row = {
    ...discussion,
    id: newId('comment'),
    reviewId: reviewId ?? null,
    pageId: pageId ?? null,
    nodeId: node ?? null,
    tableRecord: tableCell?.record ?? null,
    tableDefinition: tableCell?.definition ?? null,
    body: JSON.stringify(body),
    markdown,
    postedBy: requireUserId(ctx.actor),
    postedAt: nowOf(ctx),
  };
  const event = { kind: 'comment_posted' as const, ...eventScope(row), ids: commentIds(row) };
  const comment = await insert(ctx, row, [event]);
  return comment && withAuthor(comment);
}
