import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { ownModule } from '../../../platform/own-files.ts';
import { embeddingModelOf } from './embedding-model.ts';
import type { Grouping, GroupingInput, IssueToGroup, work } from './group-work.ts';
import { readVectors } from './read-vectors.ts';
import { storeComplete, storeJoining } from './store-grouping.ts';

/** Issues that are grouped, the newest ones. Older ones stay in their clusters. */
export const MAX_ISSUES = 20_000;

/** Issues without a cluster that are tried again beside new ones. */
const MAX_LOOSE = 2_000;

const LIMIT_MS = 240_000;

/**
 * Groups the issues of an organization again: by the vectors of a model if it has given one for each of them, and
 * otherwise by their words. Clusters keep their ids if they keep most of their issues. `changes` were counted before.
 */
export async function groupAllIssues(
  ctx: Context,
  organizationId: string,
  changes: number,
  signal: AbortSignal,
): Promise<void> {
  const { rows: issues } = await sql<IssueToGroup>`
    select i.id, i.language, i.cluster_id as "clusterId", i.terms, i.words, i.concepts
    from conversation_issue i where i.organization_id = ${organizationId}
    order by i.created_at desc, i.id desc limit ${sql.lit(MAX_ISSUES)}`.execute(ctx.db);
  const issueIds = issues.map(({ id }) => id);
  const model = embeddingModelOf(ctx);
  const vectors = model && (await readVectors(ctx.db, issueIds, model.name));
  const grouping = await inWorker(ctx, organizationId, { issues, vectors, model: null }, signal);
  const embeddingModel = vectors && model ? model.name : null;
  await transact(ctx, (inside) =>
    storeComplete(inside, organizationId, { grouping, embeddingModel, issueIds, changes }),
  );
}

/**
 * Adds the issues without a cluster to the known clusters, or to new ones. They are compared by the vectors of the
 * model that the clusters were found with, if it has given one for each issue, and otherwise by their words.
 */
export async function addIssues(ctx: Context, organizationId: string, signal: AbortSignal): Promise<void> {
  const { rows: issues } = await sql<IssueToGroup>`
    select i.id, i.language, null as "clusterId", i.terms, i.words, i.concepts
    from conversation_issue i where i.organization_id = ${organizationId} and i.cluster_id is null
    order by i.created_at desc, i.id desc limit ${sql.lit(MAX_LOOSE)}`.execute(ctx.db);
  if (issues.length === 0) return;
  const [state, clusters] = await Promise.all([
    ctx.db
      .selectFrom('issues_grouping')
      .where('organizationId', '=', organizationId)
      .select(['frequencies', 'embeddingModel', 'embeddingMean'])
      .executeTakeFirst(),
    ctx.db
      .selectFrom('issues_cluster')
      .where('organizationId', '=', organizationId)
      .where('issuesCount', '>', 0)
      .orderBy('id')
      .select(['id', 'buckets', 'weights', 'embedding'])
      .execute(),
  ]);
  const embeddingMean = state?.embeddingMean ?? [];
  const issueIds = issues.map(({ id }) => id);
  const rows = state?.embeddingModel ? await readVectors(ctx.db, issueIds, state.embeddingModel) : null;
  const vectors = rows?.width === embeddingMean.length ? rows : null;
  const model = { frequencies: state?.frequencies ?? {}, embeddingMean, clusters };
  const grouping = await inWorker(ctx, organizationId, { issues, vectors, model }, signal);
  await transact(ctx, (inside) => storeJoining(inside, organizationId, grouping));
}

const inWorker = (ctx: Context, organizationId: string, input: GroupingInput, signal: AbortSignal): Promise<Grouping> =>
  ctx.services.heavyWork.inWorker<typeof work>(
    'group-issues',
    { ctx, organizationId, signal },
    {
      module: ownModule('domain/insight/conversations/group-work.ts'),
      input,
      limitMs: LIMIT_MS,
    },
  );
