import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';

/** Maximum number of repliers returned. */
const MAX_NAMED = 50;

/** A user who replied. */
export interface Replier {
  userId: string;
  count: number;
  updatedAt: string;
}

/** Number of replies to a comment. */
export interface ReplyCounts {
  total: number;
  /** Most recent reply first. */
  repliers: Replier[];
}

/** Number of replies to a comment and its repliers, batched. Does not check access. */
export const replyCounts = async (ctx: Context, commentId: string): Promise<ReplyCounts> =>
  (await load(ctx, commentId)) ?? { total: 0, repliers: [] };

const load = sharedLoader<ReplyCounts>('reply-counts', async (db, ids) => {
  const { rows } = await sql<Replier & { commentId: string; total: number }>`
    select k."commentId", k."userId", k.count, k."updatedAt", k.total
    from (
      select r.comment_id as "commentId", r.posted_by as "userId", count(*) as count, max(r.posted_at) as "updatedAt",
        sum(count(*)) over (partition by r.comment_id)::bigint as total,
        row_number() over (partition by r.comment_id order by max(r.posted_at) desc, r.posted_by) as place
      from comment_reply r where r.comment_id = any(${ids}::text[])
      group by r.comment_id, r.posted_by
    ) k
    where k.place <= ${sql.lit(MAX_NAMED)}
    order by k."commentId", k.place`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ commentId }) => commentId)].map(([id, repliers]) => [
      id,
      {
        total: repliers[0]?.total ?? 0,
        repliers: repliers.map(({ userId, count, updatedAt }) => ({ userId, count, updatedAt })),
      },
    ]),
  );
});
