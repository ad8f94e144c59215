import { sql } from 'kysely';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { dropEmptyClusters } from './drop-empty-clusters.ts';
import type { ClusterStatus } from './enums.ts';
import { forgetWords } from './forget-questions.ts';
import type { GroupedCluster, Grouping } from './group-work.ts';

interface Complete {
  grouping: Grouping;
  /** The model whose vectors were compared. Null for words. */
  embeddingModel: string | null;
  /** All issues that were grouped. */
  issueIds: string[];
  /** Changes that the grouping takes into account. */
  changes: number;
}

/** Stores a complete grouping. Clusters that lost all their issues are deleted unless they have change requests. */
export async function storeComplete(ctx: Context, organizationId: string, complete: Complete): Promise<void> {
  const { grouping, embeddingModel, issueIds, changes } = complete;
  const clusters = grouping.clusters.map((cluster) => ({ ...cluster, id: cluster.id ?? newId('cluster') }));
  const clusterOf = new Map(clusters.flatMap(({ id, issueIds: members }) => members.map((issue) => [issue, id])));
  await storeClusters(ctx, organizationId, clusters, 'complete');
  await move(
    ctx,
    organizationId,
    issueIds.map((issueId) => ({ issueId, clusterId: clusterOf.get(issueId) ?? null })),
  );
  await forgetLost(ctx, clusters);
  await dropEmptyClusters(ctx, organizationId);
  await ctx.db
    .updateTable('issues_grouping')
    .set((update) => ({
      frequencies: grouping.frequencies,
      embeddingModel,
      embeddingMean: grouping.embeddingMean,
      documents: issueIds.length,
      changes: update('changes', '-', changes),
      groupedAt: nowOf(ctx),
    }))
    .where('organizationId', '=', organizationId)
    .execute();
}

/** Stores which issues join known clusters, and new clusters. */
export async function storeJoining(ctx: Context, organizationId: string, grouping: Grouping): Promise<void> {
  const clusters = grouping.clusters.map((cluster) => ({ ...cluster, id: newId('cluster') }));
  await storeClusters(ctx, organizationId, clusters, 'pending');
  const joined = new Set(grouping.joining.map(({ clusterId }) => clusterId));
  await sql`
    update issues_cluster c set status = 'analysing'
    where c.id = any(${[...joined]}::text[]) and c.status = 'complete'`.execute(ctx.db);
  const added = clusters.flatMap(({ id, issueIds }) => issueIds.map((issueId) => ({ issueId, clusterId: id })));
  await move(ctx, organizationId, [...grouping.joining, ...added]);
  await forgetLost(ctx, clusters);
}

type StoredCluster = GroupedCluster & { id: string };

/** Inserts new clusters, and replaces the descriptions of known ones. */
async function storeClusters(
  ctx: Context,
  organizationId: string,
  clusters: readonly StoredCluster[],
  status: ClusterStatus,
): Promise<void> {
  const rows = clusters.map(({ issueIds: _, ...cluster }) => cluster);
  const now = nowOf(ctx);
  await sql`
    insert into issues_cluster (id, organization_id, label, summary, central_issue_id, status, terms, buckets, weights,
      embedding, created_at, updated_at)
    select g.id, ${organizationId}, g.label, i.summary, i.id, ${status}, g.words, g.buckets, g.weights,
      g.embedding, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as g(id text, label text, "centralIssueId" text, words text[],
      buckets int[], weights real[], embedding real[])
    join conversation_issue i on i.id = g."centralIssueId"
    order by g.id
    on conflict (id) do update set label = excluded.label, summary = excluded.summary,
      central_issue_id = excluded.central_issue_id, status = excluded.status, terms = excluded.terms,
      buckets = excluded.buckets, weights = excluded.weights, embedding = excluded.embedding`.execute(ctx.db);
}

/** Labels were made of all issues. Those that were deleted or moved since leave no words. */
async function forgetLost(ctx: Context, clusters: readonly StoredCluster[]): Promise<void> {
  const members = clusters.flatMap(({ id, issueIds }) => issueIds.map((issueId) => ({ id, issueId })));
  const { rows: changed } = await sql<{ id: string }>`
    select distinct m.id
    from unnest(${members.map(({ id }) => id)}::text[], ${members.map(({ issueId }) => issueId)}::text[]) as m(id, issue_id)
    where not exists (select from conversation_issue i where i.id = m.issue_id and i.cluster_id = m.id)`.execute(
    ctx.db,
  );
  await forgetWords(
    ctx,
    changed.map(({ id }) => id),
  );
}

/**
 * When the question of an issue `i` came. Clients say when a conversation was created, and their clocks can be ahead.
 */
export const askedAt = sql`least(i.created_at, i.ingested_at)`;

interface Move {
  issueId: string;
  clusterId: string | null;
}

/** Moves issues to clusters that exist, counts again, and opens closed clusters that got newer issues. */
async function move(ctx: Context, organizationId: string, moves: readonly Move[]): Promise<void> {
  const now = nowOf(ctx);
  const { rows: changed } = await sql<{ id: string; isReopened: boolean }>`
    with moved as (
      update conversation_issue i set cluster_id = c.id
      from unnest(${moves.map(({ issueId }) => issueId)}::text[], ${moves.map(({ clusterId }) => clusterId)}::text[])
        as g(issue_id, cluster_id)
        left join issues_cluster c on c.id = g.cluster_id and c.organization_id = ${organizationId}
      where i.id = g.issue_id and i.organization_id = ${organizationId} and i.cluster_id is distinct from c.id
      returning i.cluster_id, ${askedAt} as asked_at
    ), gained as (
      select m.cluster_id as id, max(m.asked_at) as latest from moved m where m.cluster_id is not null group by m.cluster_id
    )
    update issues_cluster c set updated_at = ${now}::timestamptz,
      closed_at = case when g.latest > c.closed_at then null else c.closed_at end
    from gained g join issues_cluster was on was.id = g.id
    where c.id = g.id
    returning c.id, was.closed_at is not null and c.closed_at is null as "isReopened"`.execute(ctx.db);
  for (const { id, isReopened } of changed) {
    if (isReopened) await recordEvent(ctx, { kind: 'issues_cluster_reopened', organizationId, ids: { clusterId: id } });
  }
  await sql`
    update issues_cluster c set issues_count = n.count
    from (
      select k.id, count(i.id)::int as count
      from issues_cluster k left join conversation_issue i on i.cluster_id = k.id
      where k.organization_id = ${organizationId} group by k.id
    ) n
    where c.id = n.id and c.issues_count <> n.count`.execute(ctx.db);
}
