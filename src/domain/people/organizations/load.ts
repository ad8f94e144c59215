import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import { rowLoader } from '../../../platform/loader.ts';
import type { OrganizationRow } from '../access/index.ts';

/** Organizations by id, batched: those that the caller is a member of, guests too. The others are as good as absent. */
export const loadOrganization = rowLoader<OrganizationRow>('organization', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return [];
  const { rows } = await sql<OrganizationRow>`
    select o.* from organization o
    join membership m on m.organization_id = o.id and m.user_id = ${userId} and not m.is_disabled
    where o.id = any(${ids}::text[])`.execute(ctx.db);
  return rows;
});
