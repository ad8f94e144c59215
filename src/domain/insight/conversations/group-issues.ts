import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { addIssues, groupAllIssues } from './apply-grouping.ts';
import { deriveIssues } from './derive-issues.ts';

/** A job that was killed holds up the next one for so long. */
const LEASE_SECONDS = 300;

/** All issues are grouped anew when so many have changed since the last time, at least and as a share of them. */
const MIN_CHANGES = 20;
const SHARE_OF_CHANGES = 0.2;

/**
 * Finds the issues of new conversations of an organization and groups them: new issues join similar clusters or form new
 * ones. After many changes, or if `isComplete` is set, all issues are grouped anew.
 */
export const groupIssues = defineJob(
  'group-issues',
  z.object({ organizationId: z.string(), isComplete: z.boolean().optional() }),
  async (ctx, { organizationId, isComplete = false }, { signal }) => {
    if (!(await lease(ctx, organizationId))) return;
    try {
      await deriveIssues(ctx, organizationId, signal);
      const state = await ctx.db
        .selectFrom('issues_grouping')
        .where('organizationId', '=', organizationId)
        .select(['documents', 'changes', 'groupedAt'])
        .executeTakeFirstOrThrow();
      const isDue = state.changes >= Math.max(MIN_CHANGES, state.documents * SHARE_OF_CHANGES);
      if (isComplete || isDue || state.groupedAt === null)
        await groupAllIssues(ctx, organizationId, state.changes, signal);
      else if (state.changes > 0) await addIssues(ctx, organizationId, signal);
    } finally {
      await ctx.db
        .updateTable('issues_grouping')
        .set({ leasedUntil: null })
        .where('organizationId', '=', organizationId)
        .execute();
    }
  },
  { concurrency: 2, concurrencyPerGroup: 1, expiresIn: LEASE_SECONDS },
);

/** Only one job works on an organization. Later conversations are found by the next one, which can be enqueued from now on. */
async function lease({ db, services }: Context, organizationId: string): Promise<boolean> {
  const now = services.clock();
  const until = new Date(now.getTime() + LEASE_SECONDS * 1_000).toISOString();
  const { rows } = await sql`
    insert into issues_grouping as g (organization_id, leased_until) values (${organizationId}, ${until}::timestamptz)
    on conflict (organization_id) do update set leased_until = excluded.leased_until, requested_at = null
    where g.leased_until is null or g.leased_until < ${now.toISOString()}::timestamptz
    returning organization_id`.execute(db);
  return rows.length > 0;
}
