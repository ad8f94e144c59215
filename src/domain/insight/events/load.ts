import { hasScope, userIdOf } from '../../../platform/access/actor.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { type EventRow, isSettled } from '../../../platform/events/read-events.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { isActing, roleFor } from '../../people/access/index.ts';

/** Events by id, batched. Only events of organizations that the caller is an admin of. */
export const loadEvent = rowLoader<EventRow>('event', async (ctx, ids) => {
  if (userIdOf(ctx.actor) === undefined || !hasScope(ctx.actor, 'admin')) return [];
  return ctx.db
    .selectFrom('event as e')
    .innerJoin('membership as m', (on) =>
      on.onRef('m.organizationId', '=', 'e.organizationId').on(isActing(ctx.actor, 'm')),
    )
    .where('e.id', '=', anyOf(ids))
    .where(roleFor(ctx.actor, 'm'), '=', 'admin')
    .where(isSettled)
    .selectAll('e')
    .execute();
});
