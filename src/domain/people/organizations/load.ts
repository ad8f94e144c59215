import { userIdOf } from '../../../platform/access/actor.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { isActing, type OrganizationRow } from '../access/index.ts';

/** Organizations by id, batched: those that the caller is a member of, guests too. The others are as good as absent. */
export const loadOrganization = rowLoader<OrganizationRow>('organization', async (ctx, ids) => {
  if (userIdOf(ctx.actor) === undefined) return [];
  return ctx.db
    .selectFrom('organization as o')
    .innerJoin('membership as m', (on) => on.onRef('m.organizationId', '=', 'o.id').on(isActing(ctx.actor, 'm')))
    .where('o.id', '=', anyOf(ids))
    .selectAll('o')
    .execute();
});
