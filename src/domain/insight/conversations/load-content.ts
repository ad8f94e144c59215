import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';

type Content = Pick<Row<'conversation'>, 'id' | 'parts' | 'attributes'>;

/**
 * Parts and attributes of conversations, batched and without a check of access: the caller has loaded the conversation
 * before.
 */
export const loadContent = rowLoader<Content>('conversation-content', ({ db }, ids) =>
  db.selectFrom('conversation').where('id', '=', anyOf(ids)).select(['id', 'parts', 'attributes']).execute(),
);

/** Number of weeks of a pulse. */
const PULSE_WEEKS = 13;

export interface ClusterFigures {
  id: string;
  /** Issues of each of the past 13 weeks, the oldest first. */
  weeklyPulse: number[];
  /** Conversations of each source. */
  sources: { source: string; count: number }[];
}

/** What is counted from the issues of clusters, in one statement. Does not check access. */
export const loadFigures = rowLoader<ClusterFigures>('issues-cluster-figures', async ({ db, services }, ids) => {
  const now = services.clock().toISOString();
  const { rows } = await sql<{ clusterId: string; source: string; week: number; count: number }>`
    select i.cluster_id as "clusterId", i.source, count(*) as count,
      greatest(0, floor(extract(epoch from ${now}::timestamptz - i.created_at) / 604800))::int as week
    from conversation_issue i where i.cluster_id = any(${ids}::text[])
    group by i.cluster_id, i.source, week order by i.source`.execute(db);
  const byCluster = Map.groupBy(rows, ({ clusterId }) => clusterId);
  return ids.map((id) => figuresOf(id, byCluster.get(id) ?? []));
});

function figuresOf(id: string, rows: readonly { source: string; week: number; count: number }[]): ClusterFigures {
  const weeklyPulse = Array.from({ length: PULSE_WEEKS }, () => 0);
  const sources = new Map<string, number>();
  for (const { source, week, count } of rows) {
    sources.set(source, (sources.get(source) ?? 0) + Number(count));
    if (week < PULSE_WEEKS)
      weeklyPulse[PULSE_WEEKS - 1 - week] = (weeklyPulse[PULSE_WEEKS - 1 - week] ?? 0) + Number(count);
  }
  return { id, weeklyPulse, sources: [...sources].map(([source, count]) => ({ source, count })) };
}

type Described = Pick<Row<'issues_cluster_description'>, 'label' | 'summary'> & { id: string };

const loadDescriptions = rowLoader<Described>('issues-cluster-description', ({ db }, ids) =>
  db
    .selectFrom('issues_cluster_description')
    .where('clusterId', '=', anyOf(ids))
    .where('label', 'is not', null)
    .select(['clusterId as id', 'label', 'summary'])
    .execute(),
);

/**
 * Label and summary of a cluster by the configured model. Undefined if no model is set or it returned nothing. Does not
 * check access.
 */
export const loadDescription = (ctx: Context, clusterId: string) =>
  ctx.services.config.labels === null ? undefined : loadDescriptions(ctx, clusterId);

export interface ClusterTasks {
  id: string;
  total: number;
  backlog: number;
  started: number;
  completed: number;
  cancelled: number;
}

/** The change requests of clusters by status, in one statement. Counts those too that the caller cannot see. */
export const loadTasks = rowLoader<ClusterTasks>('issues-cluster-tasks', async ({ db }, ids) => {
  const { rows } = await sql<ClusterTasks>`
    select w.id, count(cr.id)::int as total, count(*) filter (where cr.status = 'draft')::int as backlog,
      count(*) filter (where cr.status = 'open')::int as started,
      count(*) filter (where cr.status = 'merged')::int as completed,
      count(*) filter (where cr.status = 'archived')::int as cancelled
    from unnest(${ids}::text[]) as w(id) left join change_request cr on cr.issues_cluster_id = w.id
    group by w.id`.execute(db);
  return rows;
});
