import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { enqueueUnlessWaiting } from '../../../platform/jobs/enqueue.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { PAUSE_MINUTES } from './ask-model.ts';
import { DERIVATION } from './derive-issues.ts';
import { describeClusters } from './describe-clusters.ts';
import { embeddingModelOf } from './embedding-model.ts';
import { groupIssues } from './group-issues.ts';
import { labelModelOf } from './label-model.ts';

/** A change leads to a new grouping by the next night. */
const NIGHT_HOURS = 20;

/** Organizations of one sweep; others follow in the next one. */
const MAX_ORGANIZATIONS = 100;

/**
 * Enqueues a job for each organization that needs one. Its conversations may not have been processed by any job, for
 * example because they were committed while one started. Some of its issues or clusters may lack vectors or labels of
 * the models that are set, or an earlier version of the service may have derived its issues. Organizations whose issues
 * have changed get a job once a day. Those for which a job waits get no other.
 */
export const sweepGroupings = defineJob(
  'sweep-groupings',
  z.object({}),
  async (ctx) => {
    const now = ctx.services.clock();
    const minuteAgo = new Date(now.getTime() - 60_000).toISOString();
    // First: a complete grouping includes what the others do.
    if (now.getUTCHours() === GROUPING_HOUR_UTC)
      await enqueueUnlessWaiting(ctx, groupIssues, (await changedSinceNight(ctx)).map(jobFor(true)));
    const { rows: waiting } = await sql<{ organizationId: string }>`
      select distinct organization_id as "organizationId" from (
        select c.organization_id from conversation c
        where c.processed_at is null and c.ingested_at < ${minuteAgo}::timestamptz
          and not ${isLeased('c', now)} limit 10000
      ) c
      limit ${sql.lit(MAX_ORGANIZATIONS)}`.execute(ctx.db);
    await enqueueUnlessWaiting(ctx, groupIssues, waiting.map(jobFor(false)));
    await enqueueUnlessWaiting(ctx, groupIssues, (await lackingVectors(ctx)).map(jobFor(false)));
    await enqueueUnlessWaiting(ctx, groupIssues, (await lackingDerivation(ctx)).map(jobFor(false)));
    await enqueueUnlessWaiting(ctx, describeClusters, await lackingLabels(ctx));
  },
  { cron: '* * * * *' },
);

/** Organizations whose issues have changed since their latest complete grouping, which was before this night. */
async function changedSinceNight(ctx: Context): Promise<{ organizationId: string }[]> {
  const now = ctx.services.clock();
  const minuteAgo = new Date(now.getTime() - 60_000).toISOString();
  const lastNight = new Date(now.getTime() - NIGHT_HOURS * 3_600_000).toISOString();
  return ctx.db
    .selectFrom('issues_grouping')
    .where('changes', '>', 0)
    .where((row) => row.or([row('groupedAt', 'is', null), row('groupedAt', '<', lastNight)]))
    .where((row) => row.or([row('requestedAt', 'is', null), row('requestedAt', '<', minuteAgo)]))
    .where((row) => row.or([row('leasedUntil', 'is', null), row('leasedUntil', '<', now.toISOString())]))
    .select('organizationId')
    .limit(MAX_ORGANIZATIONS)
    .execute();
}

/**
 * Organizations whose latest complete grouping has used another model than that of the settings, or lacks vectors of
 * it.
 */
async function lackingVectors(ctx: Context): Promise<{ organizationId: string }[]> {
  const now = ctx.services.clock();
  const model = embeddingModelOf(ctx)?.name ?? null;
  const pause = new Date(now.getTime() - PAUSE_MINUTES * 60_000).toISOString();
  const { rows } = await sql<{ organizationId: string }>`
    select g.organization_id as "organizationId" from issues_grouping g
    where g.grouped_at is not null and g.requested_at is null
      and (g.embedding_model is distinct from ${model} or g.embedding_error is not null)
      and (g.leased_until is null or g.leased_until < ${now.toISOString()}::timestamptz)
      and (g.embedding_failed_at is null or g.embedding_failed_at <= ${pause}::timestamptz)
    limit ${sql.lit(MAX_ORGANIZATIONS)}`.execute(ctx.db);
  return rows;
}

/** Organizations with issues whose terms an earlier version of the service has found. */
async function lackingDerivation(ctx: Context): Promise<{ organizationId: string }[]> {
  const { rows } = await sql<{ organizationId: string }>`
    select distinct organization_id as "organizationId" from (
      select i.organization_id from conversation_issue i
      where i.derivation < ${sql.lit(DERIVATION)} and not ${isLeased('i', ctx.services.clock())} limit 10000
    ) i
    limit ${sql.lit(MAX_ORGANIZATIONS)}`.execute(ctx.db);
  return rows;
}

/**
 * Organizations whose clusters were labelled by another model than that of the settings, or do not all have a label by
 * it.
 */
async function lackingLabels(ctx: Context): Promise<{ data: { organizationId: string }; group: string }[]> {
  const model = labelModelOf(ctx)?.name;
  if (model === undefined) return [];
  const now = ctx.services.clock();
  const pause = new Date(now.getTime() - PAUSE_MINUTES * 60_000).toISOString();
  const { rows } = await sql<{ organizationId: string }>`
    select g.organization_id as "organizationId" from issues_grouping g
    where g.grouped_at is not null and (g.labels_model is distinct from ${model} or g.labels_error is not null)
      and (g.labels_leased_until is null or g.labels_leased_until < ${now.toISOString()}::timestamptz)
      and (g.labels_failed_at is null or g.labels_failed_at <= ${pause}::timestamptz)
    limit ${sql.lit(MAX_ORGANIZATIONS)}`.execute(ctx.db);
  return rows.map(({ organizationId }) => ({ data: { organizationId }, group: organizationId }));
}

/** Whether a job works on the organization of a row, whose other rows would take the places of other organizations. */
const isLeased = (row: string, now: Date) => sql<boolean>`exists (
  select from issues_grouping g
  where g.organization_id = ${sql.ref(`${row}.organization_id`)} and g.leased_until > ${now.toISOString()}::timestamptz)`;

/** The hour of the complete groupings, in UTC. */
const GROUPING_HOUR_UTC = 3;

const jobFor =
  (isComplete: boolean) =>
  ({ organizationId }: { organizationId: string }) => ({ data: { organizationId, isComplete }, group: organizationId });
