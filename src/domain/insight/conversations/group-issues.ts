import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { enqueueUnlessWaiting } from '../../../platform/jobs/enqueue.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { addIssues, groupAllIssues } from './apply-grouping.ts';
import { deriveIssues } from './derive-issues.ts';
import { describeClusters } from './describe-clusters.ts';
import { embedIssues } from './embed-issues.ts';
import { embeddingModelOf } from './embedding-model.ts';
import { labelModelOf } from './label-model.ts';
import { refreshIssues } from './refresh-issues.ts';

/** A job that was killed holds up the next one for so long. */
const LEASE_SECONDS = 300;

/** All issues are regrouped once this many, and this share of them, have changed since the last time. */
const MIN_CHANGES = 20;
const SHARE_OF_CHANGES = 0.2;

/**
 * Finds the issues of new conversations of an organization and groups them: new issues join similar clusters or form
 * new ones. After many changes, with another model of vectors, or if `isComplete` is set, all issues are grouped again.
 */
export const groupIssues = defineJob(
  'group-issues',
  z.object({ organizationId: z.string(), isComplete: z.boolean().optional() }),
  async (ctx, { organizationId, isComplete = false }, { signal }) => {
    const leasedUntil = await lease(ctx, organizationId);
    if (leasedUntil === undefined) return;
    try {
      await groupOnce(ctx, organizationId, isComplete, signal);
    } finally {
      await endLease(ctx, organizationId, leasedUntil);
    }
    const next = { data: { organizationId }, group: organizationId };
    if (labelModelOf(ctx)) await enqueueUnlessWaiting(ctx, describeClusters, [next]);
    if (await isRequested(ctx, organizationId)) await enqueueUnlessWaiting(ctx, groupIssues, [next]);
  },
  { concurrency: 2, concurrencyPerGroup: 1, expiresIn: LEASE_SECONDS },
);

async function groupOnce(
  ctx: Context,
  organizationId: string,
  isComplete: boolean,
  signal: AbortSignal,
): Promise<void> {
  await deriveIssues(ctx, organizationId, signal);
  const refreshed = await refreshIssues(ctx, organizationId, signal);
  const hasVectors = await embedIssues(ctx, organizationId, signal);
  const state = await ctx.db
    .selectFrom('issues_grouping')
    .where('organizationId', '=', organizationId)
    .select(['documents', 'changes', 'groupedAt', 'embeddingModel'])
    .executeTakeFirstOrThrow();
  const isDue = state.changes >= Math.max(MIN_CHANGES, state.documents * SHARE_OF_CHANGES);
  const modelName = embeddingModelOf(ctx)?.name ?? null;
  const isOutdated = state.embeddingModel !== modelName && (modelName === null || hasVectors);
  if (isComplete || refreshed > 0 || isDue || isOutdated || state.groupedAt === null) {
    await groupAllIssues(ctx, organizationId, state.changes, signal);
  } else if (state.changes > 0) await addIssues(ctx, organizationId, signal);
}

/** Only one job works on an organization at a time. Returns the end of its lease; undefined if another job has one. */
async function lease({ db, services }: Context, organizationId: string): Promise<string | undefined> {
  const now = services.clock();
  const until = endOfLease(now);
  const { rows } = await sql`
    insert into issues_grouping as g (organization_id, leased_until) values (${organizationId}, ${until}::timestamptz)
    on conflict (organization_id) do update set leased_until = excluded.leased_until, requested_at = null
    where g.leased_until is null or g.leased_until < ${now.toISOString()}::timestamptz
    returning organization_id`.execute(db);
  return rows.length > 0 ? until : undefined;
}

/** A lease that has run out may be another job's by now, and stays. */
const endLease = ({ db }: Context, organizationId: string, leasedUntil: string) =>
  db
    .updateTable('issues_grouping')
    .set({ leasedUntil: null })
    .where('organizationId', '=', organizationId)
    .where('leasedUntil', '=', leasedUntil)
    .execute();

/** Whether a job was requested since the lease began. It may have started in another process, and found the lease. */
async function isRequested({ db }: Context, organizationId: string): Promise<boolean> {
  const grouping = await db
    .selectFrom('issues_grouping')
    .where('organizationId', '=', organizationId)
    .select('requestedAt')
    .executeTakeFirst();
  return grouping != null && grouping.requestedAt !== null;
}

const endOfLease = (now: Date) => new Date(now.getTime() + LEASE_SECONDS * 1_000).toISOString();
