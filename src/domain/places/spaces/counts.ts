import { sql } from 'kysely';
import { atLeast, type Level } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { batchLoader } from '../../../platform/loader.ts';
import { needs, standingOn } from '../../people/access/index.ts';

/** How many change requests a space has: all of them, and by status. */
export interface ChangeRequestCounts {
  total: number;
  open: number;
  draft: number;
}

const NONE: ChangeRequestCounts = { total: 0, open: 0, draft: 0 };

const loadCounts = batchLoader<ChangeRequestCounts>('space:change-request-counts', async (ctx, ids) => {
  const readable = await withLevel(ctx, ids, needs.listChangeRequests.space);
  const { rows } = await sql<ChangeRequestCounts & { spaceId: string }>`
    select space_id, count(*) as total,
      count(*) filter (where status = 'open') as open,
      count(*) filter (where status = 'draft') as draft
    from change_request where space_id = any(${readable}::text[])
    group by space_id`.execute(ctx.db);
  return new Map(rows.map(({ spaceId, ...counts }) => [spaceId, counts]));
});

/** Those of the spaces on which the caller's level reaches what is wanted; no statement for spaces that were just loaded. */
async function withLevel(ctx: Context, ids: string[], wanted: Level): Promise<string[]> {
  const standings = await Promise.all(ids.map((id) => standingOn.space(ctx, id)));
  return ids.filter((_, index) => atLeast(standings[index]?.level ?? null, wanted));
}

/** The counts of a space, batched. Who may not list its change requests, as visitors of a site, is told none. */
export const changeRequestCounts = async (ctx: Context, spaceId: string) => (await loadCounts(ctx, spaceId)) ?? NONE;

const loadOpenComments = batchLoader<number>('space:open-comments', async (ctx, ids) => {
  const readable = await withLevel(ctx, ids, needs.listComments.space);
  const { rows } = await sql<{ id: string; open: number }>`
    select space_id as id, count(*) as open from comment
    where space_id = any(${readable}::text[]) and change_request_id is null and resolved_at is null
    group by space_id`.execute(ctx.db);
  return new Map(rows.map(({ id, open }) => [id, open]));
});

/** How many comments on the primary content of a space are open, batched. Who may not read them is told none. */
export const openCommentsOfSpace = async (ctx: Context, spaceId: string) => (await loadOpenComments(ctx, spaceId)) ?? 0;
