import { sql } from 'kysely';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { Refusal } from '../../../platform/errors.ts';
import { batchLoader, rowLoader } from '../../../platform/loader.ts';
import { showsComments } from './access.ts';
import { type CommentRow, commentColumns, type ReplyRow, replyColumns } from './columns.ts';

/** Comments by id, batched; those that the caller may not read are as good as absent. */
export const loadComment = rowLoader<CommentRow>('comment', async (ctx, ids) => {
  const { rows } = await sql<CommentRow>`
    select ${commentColumns} from comment c join space s on s.id = c.space_id
    where c.id = any(${ids}::text[]) and ${showsComments(ctx)}`.execute(ctx.db);
  return rows;
});

/** Replies by id, likewise. */
export const loadReply = rowLoader<ReplyRow>('comment-reply', async (ctx, ids) => {
  const { rows } = await sql<ReplyRow>`
    select ${replyColumns} from comment_reply c join space s on s.id = c.space_id
    where c.id = any(${ids}::text[]) and ${showsComments(ctx)}`.execute(ctx.db);
  return rows;
});

/** Bytes of documents that one answer takes: a hundred long bodies with much in them. */
const MAX_BYTES = 20_000_000;

/**
 * Bodies as documents by the id of their comment or reply, batched. For callers who may read those. 400 when they are too
 * much for one answer together.
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
    throw new Refusal(
      'BAD_USER_INPUT',
      'These bodies are too much for one answer as documents; ask for fewer, or for Markdown.',
    );
  }
  return new Map(rows.map(({ id, body }) => [id, body]));
});

/** The newest comment of a reviewer on their own review, batched by the id of the review. For callers who may read it. */
export const loadCommentOfReview = batchLoader<CommentRow>('comment-of-review', async ({ db }, ids) => {
  const { rows } = await sql<CommentRow>`
    select distinct on (c.review_id) ${commentColumns}
    from review rv join comment c on c.change_request_id = rv.change_request_id
      and c.review_id = rv.id and c.posted_by = rv.reviewer_id
    where rv.id = any(${ids}::text[])
    order by c.review_id, c.posted_at desc, c.id desc`.execute(db);
  return new Map(rows.flatMap((row) => (row.reviewId === null ? [] : [[row.reviewId, row]])));
});
