import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { type EventRow, isSettled } from '../../../platform/events/read-events.ts';
import { rowLoader } from '../../../platform/loader.ts';

/** Events by id, batched. Only events of organizations that the caller is an admin of. */
export const loadEvent = rowLoader<EventRow>('event', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return [];
  return ctx.db
    .selectFrom('event as e')
    .innerJoin('membership as m', (on) =>
      on
        .onRef('m.organizationId', '=', 'e.organizationId')
        .on('m.userId', '=', userId)
        .on('m.isDisabled', '=', sql.lit(false)),
    )
    .where('e.id', '=', anyOf(ids))
    .where('m.role', '=', 'admin')
    .where(isSettled)
    .selectAll('e')
    .execute();
});
