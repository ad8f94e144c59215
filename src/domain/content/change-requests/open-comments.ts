import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { batchLoader } from '../../../platform/loader.ts';

const load = batchLoader<number>('change-request:open-comments', async ({ db }, ids) => {
  const { rows } = await sql<{ id: string; open: number }>`
    select cr.id, count(*) as open
    from change_request cr join comment c on c.space_id = cr.space_id and c.change_request_id = cr.id
    where cr.id = any(${ids}::text[]) and c.resolved_at is null
    group by cr.id`.execute(db);
  return new Map(rows.map(({ id, open }) => [id, open]));
});

/** How many comments on a change request are open, batched. For callers who may read it. */
export const openCommentsOfChangeRequest = async (ctx: Context, id: string) => (await load(ctx, id)) ?? 0;
