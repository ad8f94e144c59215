import { sql } from 'kysely';
import { rejectLimitedToSpaces } from '../../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { enqueueAll } from '../../../../platform/jobs/enqueue.ts';
import { syncConnection } from './sync-connection.ts';

/** A request that no job has taken up for this long is repeated: its job was lost. */
const LOST_MS = 300_000;

/**
 * Requests that connections are synchronized, in a transaction. Requests that wait already are not repeated, so that
 * many pushes make one job. `startAfter` is in seconds. Connections that are paused or were not started are left out.
 * FORBIDDEN for applications that are limited to spaces, since the runs have all permissions of the user of the
 * connection.
 */
export async function requestSync(ctx: Context, ids: readonly string[], startAfter = 0): Promise<void> {
  rejectLimitedToSpaces(ctx.actor);
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: string; organizationId: string }>`
    update git_connection c set wanted_at = ${nowOf(ctx)}::timestamptz
    where id = any(${[...ids].sort()}::text[]) and not is_paused and state <> 'pending' and ${isRequestable(ctx, 'c')}
    returning id, organization_id`.execute(ctx.db);
  const jobs = rows.map(({ id, organizationId }) => ({
    data: { gitConnectionId: id },
    group: organizationId,
    ...(startAfter > 0 && { startAfter }),
  }));
  await enqueueAll(ctx, syncConnection, jobs);
}

/** Condition on a connection, by the alias of its row: no job is to synchronize it, or its job was lost. */
export const isRequestable = (ctx: Context, row: string) => {
  const wantedAt = sql.ref(`${row}.wantedAt`);
  const lost = new Date(Date.parse(nowOf(ctx)) - LOST_MS).toISOString();
  return sql<boolean>`(${wantedAt} is null or ${wantedAt} < ${lost}::timestamptz)`;
};
