import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type EventRow, isSettled } from '../../../platform/events/read-events.ts';
import { rowLoader } from '../../../platform/loader.ts';

/** Events by id, batched: those of organizations that the caller administers. */
export const loadEvent = rowLoader<EventRow>('event', async (ctx, ids) => {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return [];
  const { rows } = await sql<EventRow>`
    select e.* from event e
    join membership m on m.organization_id = e.organization_id and m.user_id = ${userId} and not m.is_disabled
    where e.id = any(${ids}::text[]) and m.role = 'admin' and ${isSettled}`.execute(ctx.db);
  return rows;
});
