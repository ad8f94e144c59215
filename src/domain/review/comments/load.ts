import { sql } from 'kysely';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { batchLoader, rowLoader } from '../../../platform/reads/loader.ts';
import { type Access, permissions } from '../../people/access/index.ts';
import { readComments, readReplies } from './access.ts';
import { COMMENT_COLUMNS, type CommentRow, qualifyWithC, type ReplyRow } from './columns.ts';

/** Comments by id, batched. Leaves out those that the caller may not read. */
export const loadComment = rowLoader<CommentRow>('comment', async (ctx, ids) => readable(await readComments(ctx, ids)));

/** Replies by id, batched. Leaves out those that the caller may not read. */
export const loadReply = rowLoader<ReplyRow>('comment-reply', async (ctx, ids) =>
  readable(await readReplies(ctx, ids)),
);

const readable = <Row extends Access>(rows: Row[]) =>
  rows.filter(({ role }) => atLeast(role, permissions.listComments.space));

/** Maximum bytes of all documents in one response: enough for a page of 100 long bodies. */
const MAX_BYTES = 20_000_000;

/**
 * Bodies as documents by the id of their comment or reply, batched. Does not check access. Throws BAD_USER_INPUT if the
 * bodies of one batch are too large.
 */
export const loadBody = batchLoader<JSONDocument>('comment-body', async ({ db }, ids) => {
  const { rows } = await sql<{ id: string; body: JSONDocument; total: number }>`
    select b.id, b.total, case when b.total <= ${sql.lit(MAX_BYTES)} then b.body end as body
    from (
      select w.id, w.body, sum(octet_length(w.body::text)) over () as total
      from (
        select c.id, c.body from comment c where c.id = any(${ids}::text[])
        union all
        select k.id, k.body from comment_reply k where k.id = any(${ids}::text[])
      ) w
    ) b`.execute(db);
  if ((rows[0]?.total ?? 0) > MAX_BYTES) {
    throw new ApiError(
      'BAD_USER_INPUT',
      'The bodies are too large to return as documents in one response. Request fewer comments, or the Markdown format.',
    );
  }
  return new Map(rows.map(({ id, body }) => [id, body]));
});

/** The latest comment of a reviewer on their own review, by the id of the review. Batched. Does not check access. */
export const loadCommentOfReview = batchLoader<CommentRow>('comment-of-review', async ({ db }, ids) => {
  const rows = await db
    .selectFrom('review as rv')
    .innerJoin('comment as c', (on) =>
      on
        .onRef('c.changeRequestId', '=', 'rv.changeRequestId')
        .onRef('c.reviewId', '=', 'rv.id')
        .onRef('c.postedBy', '=', 'rv.reviewerId'),
    )
    .where('rv.id', '=', anyOf(ids))
    .distinctOn('c.reviewId')
    .select(qualifyWithC(COMMENT_COLUMNS))
    .orderBy('c.reviewId')
    .orderBy('c.postedAt', 'desc')
    .orderBy('c.id', 'desc')
    .execute();
  return new Map(rows.flatMap((row) => (row.reviewId === null ? [] : [[row.reviewId, row]])));
});
