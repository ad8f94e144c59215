import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { mayView } from '../../people/access/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

/**
 * The current revisions of the other spaces that the caller sees on the same sites as a space, and that use files or
 * reusable contents of spaces among them. One statement, batched.
 */
export const linkingPlaces = async (ctx: Context, spaceId: string): Promise<RevisionRow[]> =>
  (await load(ctx, spaceId)) ?? [];

const load = batchLoader<RevisionRow[]>('linking places', async (ctx, spaceIds) => {
  const { rows } = await sql<RevisionRow & { near: string }>`
    with near as materialized (
      select distinct w.id as near, s.id, s.revision_id
      from unnest(${spaceIds}::text[]) as w(id)
      join site_space own on own.space_id = w.id
      join site_space beside on beside.site_id = own.site_id
      join space s on s.id = beside.space_id and s.deleted_at is null and ${mayView(ctx.actor, 's')}
    )
    select n.near, r.* from near n join revision r on r.id = n.revision_id
    where n.id <> n.near and exists (
      select from head_outside_link o
      where o.space_id = n.id and o.total > 0 and o.kind in ('file', 'reusable-content')
        and o.target_space_id in (select each.id from near each where each.near = n.near))
    order by n.near, r.id`.execute(ctx.db);
  return Map.groupBy(rows, ({ near }) => near);
});
