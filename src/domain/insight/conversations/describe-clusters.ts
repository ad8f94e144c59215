import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { askRepeatedly, ModelError, PAUSE_MINUTES } from './ask-model.ts';
import { type DueCluster, dueClusters } from './due-clusters.ts';
import { type ClusterDescription, type LabelModel, labelModelOf } from './label-model.ts';
import { countModelUsage, rejectOverModelLimit } from './model-usage.ts';

/** A job that was killed holds up the next one for so long. */
const LEASE_SECONDS = 300;

/** After this time, the next job may start. */
const MAX_MS = 60_000;

/** Clusters that the model is asked about at once. */
const CLUSTERS_PER_ROUND = 4;

/** Times that the model is asked about a cluster. */
const MAX_ATTEMPTS = 2;

const TABLE = 'label_usage';

const UNFINISHED = 'The model has not described all clusters yet. The next job continues within a minute.';

interface State {
  error: string | null;
  /** Whether the model is not asked again for a while. */
  hasFailed: boolean;
}

interface Asking {
  organizationId: string;
  model: LabelModel;
  signal: AbortSignal;
}

/**
 * Asks the chat model of the settings for the labels and summaries of new clusters, and of those whose content has
 * changed materially. What the model does not give is in the state of the grouping as an error.
 */
export const describeClusters = defineJob(
  'describe-clusters',
  z.object({ organizationId: z.string() }),
  async (ctx, { organizationId }, { signal }) => {
    const model = labelModelOf(ctx);
    if (!model) return;
    const asking = { organizationId, model, signal };
    // A job that could not get the lease leaves its clusters to this one.
    do {
      if (!(await lease(ctx, organizationId)) || !(await describeLeased(ctx, asking))) return;
    } while ((await dueClusters(ctx, organizationId, { model: model.name, limit: 1 })).length > 0);
  },
  { concurrency: 2, concurrencyPerGroup: 1, expiresIn: LEASE_SECONDS },
);

/** Ends the lease with the state that it stores. Returns whether all clusters were treated. */
async function describeLeased(ctx: Context, asking: Asking): Promise<boolean> {
  let state: State = { error: UNFINISHED, hasFailed: false };
  try {
    state = await describeAll(ctx, asking);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    state = { error: error.message, hasFailed: true };
  } finally {
    await release(ctx, asking, state);
  }
  return state.error !== UNFINISHED;
}

async function describeAll(ctx: Context, asking: Asking): Promise<State> {
  const { organizationId, model, signal } = asking;
  const began = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const due = await dueClusters(ctx, organizationId, { model: model.name, limit: CLUSTERS_PER_ROUND });
    if (due.length === 0) return stateOfRefused(ctx, asking);
    if (performance.now() - began > MAX_MS) return { error: UNFINISHED, hasFailed: false };
    await describeRound(ctx, asking, due);
  }
}

/** Asks about some clusters, and a second time about those without a usable response. */
async function describeRound(ctx: Context, asking: Asking, due: readonly DueCluster[]): Promise<void> {
  let remaining = due;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && remaining.length > 0; attempt++)
    remaining = await ask(ctx, asking, remaining);
  for (const cluster of remaining) await store(ctx, asking, cluster, null);
  if (remaining.length === CLUSTERS_PER_ROUND)
    throw new ModelError("The model's responses do not contain labels and summaries.");
}

/**
 * Stores the model's responses even if another request fails, so that nothing is sent twice. Returns the clusters that
 * it has not described.
 */
async function ask(ctx: Context, asking: Asking, clusters: readonly DueCluster[]): Promise<DueCluster[]> {
  const { organizationId, model, signal } = asking;
  const characters = clusters.reduce((sum, cluster) => sum + sizeOf(cluster), 0);
  await rejectOverModelLimit(ctx, organizationId, { table: TABLE, characterLimit: model.characterLimit }, characters);
  const requests = clusters.map(async (cluster) => {
    const usage = { requests: 1, texts: cluster.questions.length, characters: sizeOf(cluster) };
    const count = () => countModelUsage(ctx, organizationId, TABLE, usage);
    const description = await askRepeatedly(() => model.describe(cluster.questions), { count, signal });
    if (description) await store(ctx, asking, cluster, description);
    return description === null;
  });
  const results = await Promise.allSettled(requests);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return clusters.filter((_, index) => results[index]?.status === 'fulfilled' && results[index].value);
}

const sizeOf = ({ questions }: DueCluster) => questions.reduce((sum, question) => sum + question.length, 0);

/** Stores nothing if the cluster or one of the questions was deleted meanwhile. */
async function store(
  ctx: Context,
  { organizationId, model }: Asking,
  { id, issuesCount, issueIds }: DueCluster,
  description: ClusterDescription | null,
): Promise<void> {
  await sql`
    with issues as (select i.id from conversation_issue i where i.id = any(${issueIds}::text[])
        and i.cluster_id = ${id} for share),
      cluster as (select c.id from issues_cluster c where c.id = ${id} for key share)
    insert into issues_cluster_description (cluster_id, organization_id, model, label, summary, issue_ids, issues_count,
      described_at)
    select cluster.id, ${organizationId}, ${model.name}, ${description?.label ?? null}, ${description?.summary ?? null},
      ${issueIds}::text[], ${issuesCount}, ${nowOf(ctx)}::timestamptz
    from cluster where (select count(*) from issues) = ${issueIds.length}
    on conflict (cluster_id) do update set model = excluded.model, label = excluded.label, summary = excluded.summary,
      issue_ids = excluded.issue_ids, issues_count = excluded.issues_count, described_at = excluded.described_at`.execute(
    ctx.db,
  );
}

async function stateOfRefused(ctx: Context, { organizationId }: Asking): Promise<State> {
  const { count } = await ctx.db
    .selectFrom('issues_cluster_description')
    .where('organizationId', '=', organizationId)
    .where('label', 'is', null)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) === 0) return { error: null, hasFailed: false };
  const error = `The model gave no usable label and summary for ${count} clusters. It is asked about them again after a day.`;
  return { error, hasFailed: true };
}

/**
 * Only one job works on an organization at a time, and none soon after the model has failed. If it is killed, the sweep
 * finds its organization by the error.
 */
async function lease({ db, services }: Context, organizationId: string): Promise<boolean> {
  const now = services.clock();
  const until = new Date(now.getTime() + LEASE_SECONDS * 1_000).toISOString();
  const pause = new Date(now.getTime() - PAUSE_MINUTES * 60_000).toISOString();
  const { rows } = await sql`
    update issues_grouping g set labels_leased_until = ${until}::timestamptz, labels_error = ${UNFINISHED}
    where g.organization_id = ${organizationId}
      and (g.labels_leased_until is null or g.labels_leased_until < ${now.toISOString()}::timestamptz)
      and (g.labels_failed_at is null or g.labels_failed_at <= ${pause}::timestamptz)
    returning g.organization_id`.execute(db);
  return rows.length > 0;
}

const release = (ctx: Context, { organizationId, model }: Asking, { error, hasFailed }: State) =>
  ctx.db
    .updateTable('issues_grouping')
    .set({
      labelsLeasedUntil: null,
      labelsModel: model.name,
      labelsError: error,
      labelsFailedAt: hasFailed ? nowOf(ctx) : null,
    })
    .where('organizationId', '=', organizationId)
    .execute();
