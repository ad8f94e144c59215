import { userIdOf } from '../../../platform/access/actor.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { isActing, roleFor } from '../access/index.ts';

export type MemberRow = Row<'membership'>;

/** Members by id, batched. Visible to members of the organization with a role, and to the member. */
export const loadMember = rowLoader<MemberRow>('member', async (ctx, ids) => {
  if (userIdOf(ctx.actor) === undefined) return [];
  return ctx.db
    .selectFrom('membership as m')
    .innerJoin('membership as own', (on) =>
      on.onRef('own.organizationId', '=', 'm.organizationId').on(isActing(ctx.actor, 'own')),
    )
    .where('m.id', '=', anyOf(ids))
    .where((row) => row.or([row(roleFor(ctx.actor, 'own'), 'is not', null), row('m.id', '=', row.ref('own.id'))]))
    .selectAll('m')
    .execute();
});
