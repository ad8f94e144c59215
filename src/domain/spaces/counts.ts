import { sql } from 'kysely';
import type { Context } from '../../platform/context.ts';
import { batchLoader } from '../../platform/loader.ts';
import { levelOn, needs, reaches } from '../access/index.ts';

/** How many change requests a space has: all of them, and by status. */
export interface ChangeRequestCounts {
  total: number;
  open: number;
  draft: number;
}

const NONE: ChangeRequestCounts = { total: 0, open: 0, draft: 0 };

const loadCounts = batchLoader<ChangeRequestCounts>('space:change-request-counts', async (ctx, ids) => {
  const { rows } = await sql<ChangeRequestCounts & { space_id: string }>`
    select cr.space_id, count(*) as total,
      count(*) filter (where cr.status = 'open') as open,
      count(*) filter (where cr.status = 'draft') as draft
    from change_request cr join space s on s.id = cr.space_id
    where s.id = any(${ids}::text[]) and ${reaches(levelOn.space(ctx.actor, 's'), needs.listChangeRequests.space)}
    group by cr.space_id`.execute(ctx.db);
  return new Map(rows.map(({ space_id, ...counts }) => [space_id, counts]));
});

/** The counts of a space, batched. Who may not list its change requests, as visitors of a site, is told none. */
export const changeRequestCounts = async (ctx: Context, spaceId: string) => (await loadCounts(ctx, spaceId)) ?? NONE;

const loadOpenComments = batchLoader<number>('space:open-comments', async (ctx, ids) => {
  const { rows } = await sql<{ id: string; open: number }>`
    select c.space_id as id, count(*) as open
    from comment c join space s on s.id = c.space_id
    where s.id = any(${ids}::text[]) and c.change_request_id is null and c.resolved_at is null
      and ${reaches(levelOn.space(ctx.actor, 's'), needs.listComments.space)}
    group by c.space_id`.execute(ctx.db);
  return new Map(rows.map(({ id, open }) => [id, open]));
});

/** How many comments on the primary content of a space are open, batched. Who may not read them is told none. */
export const openCommentsOfSpace = async (ctx: Context, spaceId: string) => (await loadOpenComments(ctx, spaceId)) ?? 0;
