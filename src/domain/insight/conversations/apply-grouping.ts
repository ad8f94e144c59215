import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { transact } from '../../../platform/transact.ts';
import type { Grouping, GroupingInput, IssueToGroup, work } from './group-work.ts';
import { storeComplete, storeJoining } from './store-grouping.ts';

/** Issues that are grouped, the newest ones. Older ones stay in their clusters. */
const MAX_ISSUES = 20_000;

/** Issues without a cluster that are tried again beside new ones. */
const MAX_LOOSE = 2_000;

const LIMIT_MS = 240_000;

/**
 * Groups the issues of an organization anew. Clusters keep their ids if they keep most of their issues. `changes` were
 * counted before.
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
  const grouping = await inThread(ctx, organizationId, { issues, model: null }, signal);
  await transact(ctx, { id: undefined, versions: undefined }, (inside) =>
    storeComplete(inside, organizationId, { grouping, issueIds: issues.map(({ id }) => id), changes }),
  );
}

/** Adds the issues without a cluster to the known clusters, or to new ones. */
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
      .select('frequencies')
      .executeTakeFirst(),
    ctx.db
      .selectFrom('issues_cluster')
      .where('organizationId', '=', organizationId)
      .where('issuesCount', '>', 0)
      .orderBy('id')
      .select(['id', 'buckets', 'weights'])
      .execute(),
  ]);
  const model = { frequencies: state?.frequencies ?? {}, clusters };
  const grouping = await inThread(ctx, organizationId, { issues, model }, signal);
  await transact(ctx, { id: undefined, versions: undefined }, (inside) =>
    storeJoining(inside, organizationId, grouping),
  );
}

const inThread = (ctx: Context, organizationId: string, input: GroupingInput, signal: AbortSignal): Promise<Grouping> =>
  ctx.services.heavyWork.inThread<typeof work>(
    'group-issues',
    { ctx, organizationId, signal },
    {
      module: new URL('./group-work.ts', import.meta.url),
      input,
      limitMs: LIMIT_MS,
    },
  );
