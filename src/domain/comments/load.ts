import { sql } from 'kysely';
import type { JSONDocument } from '../../lib/document/document.ts';
import { batchLoader, rowLoader } from '../../platform/loader.ts';
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

/** Bodies as documents by the id of their comment or reply, batched. For callers who may read those. */
export const loadBody = batchLoader<JSONDocument>('comment-body', async ({ db }, ids) => {
  const { rows } = await sql<{ id: string; body: JSONDocument }>`
    select c.id, c.body from comment c where c.id = any(${ids}::text[])
    union all
    select k.id, k.body from comment_reply k where k.id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map(({ id, body }) => [id, body]));
});
