import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { enqueueUnlessWaiting } from '../../../platform/jobs/enqueue.ts';
import { groupIssues } from './group-issues.ts';

/** Delay in seconds, in which further conversations arrive. */
const DELAY_SECONDS = 3;

/**
 * Enqueues a job that groups the issues of an organization, unless one is enqueued already. A conversation that is
 * committed while that job starts is found by the next sweep.
 */
export async function requestGrouping(ctx: Context, organizationId: string): Promise<void> {
  const state = await ctx.db
    .selectFrom('issues_grouping')
    .where('organizationId', '=', organizationId)
    .select('requestedAt')
    .executeTakeFirst();
  if (state && state.requestedAt !== null) return;
  const { rows } = await sql`
    insert into issues_grouping as g (organization_id, requested_at) values (${organizationId}, ${nowOf(ctx)}::timestamptz)
    on conflict (organization_id) do update set requested_at = excluded.requested_at where g.requested_at is null
    returning organization_id`.execute(ctx.db);
  if (rows.length === 0) return;
  await enqueueUnlessWaiting(ctx, groupIssues, [
    { data: { organizationId }, startAfter: DELAY_SECONDS, group: organizationId },
  ]);
}
