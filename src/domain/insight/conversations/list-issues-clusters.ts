import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { type OrderPart, sortBy } from '../../../platform/paging/order.ts';
import { type orderDirection, orderInput } from '../../../platform/paging/order-by.ts';
import { assertReadsConversations, CLUSTER_COLUMNS, type ClusterRow } from './access.ts';
import { type ClusterOrderField, clusterOrderField, clusterStatusFilter } from './enums.ts';

const order = orderInput('IssuesClusterOrder', 'Sort order of clusters of issues.', clusterOrderField);

const choiceInput = {
  orderBy: order.nullish().describe('Sort order. Default: most recently updated first.'),
  status: clusterStatusFilter.nullish().describe('Only clusters with this status. Default: all clusters.'),
};

type ChoiceInput = { [Name in keyof typeof choiceInput]?: z.output<(typeof choiceInput)[Name]> };

/** Normalized filter and order. Cursors are bound to them, so equal choices must be equal as JSON. */
interface Choice {
  field: ClusterOrderField;
  direction: z.output<typeof orderDirection>;
  status: z.output<typeof clusterStatusFilter> | null;
}

const clusterListOptions = ({ orderBy, status }: ChoiceInput): Choice => ({
  field: orderBy?.field ?? 'updatedAt',
  direction: orderBy?.direction ?? 'desc',
  status: status ?? null,
});

/** A cluster with the counts that it can be sorted by. */
type ListedCluster = ClusterRow & { tasksTotal: number; tasksBacklog: number; tasksStarted: number };

type Key = Omit<OrderPart<keyof ListedCluster & string>, 'direction'>;

/** Each conversation has one issue. */
const bySize: Key = { key: 'issuesCount', type: 'integer' };

const KEYS: Record<ClusterOrderField, Key> = {
  updatedAt: { key: 'updatedAt', type: 'timestamptz' },
  issues: bySize,
  conversations: bySize,
  tasksTotal: { key: 'tasksTotal', type: 'bigint', by: 't.total' },
  tasksBacklog: { key: 'tasksBacklog', type: 'bigint', by: 't.backlog' },
  tasksStarted: { key: 'tasksStarted', type: 'bigint', by: 't.started' },
};

const columns = sql.join(CLUSTER_COLUMNS.map((column) => sql.ref(`c.${column}`)));

const clustersOfOrganization = listing<Choice, ListedCluster>({
  name: 'organization.issuesClusters',
  from: 'issues_cluster as c',
  join: sql`cross join lateral (
    select count(*) as total, count(*) filter (where cr.status = 'draft') as backlog,
      count(*) filter (where cr.status = 'open') as started
    from change_request cr where cr.issues_cluster_id = c.id
  ) t`,
  select: sql`${columns}, t.total as "tasksTotal", t.backlog as "tasksBacklog", t.started as "tasksStarted"`,
  parent: 'organizationId',
  where: ({ status }) => [status !== null && sql`c.status = ${status}`],
  order: ({ field, direction }) => [{ ...KEYS[field], direction }, sortBy('id', direction)],
});

export const listIssuesClusters = query({
  name: 'listIssuesClusters',
  description: 'Lists the clusters of issues of an organization, most recently updated first. Not for guests.',
  input: z.object({ organizationId: idOf('org'), ...choiceInput }),
  authorize: (ctx, { organizationId = '' }) => assertReadsConversations(ctx, organizationId),
  async run(ctx, { organizationId, ...input }) {
    await assertReadsConversations(ctx, organizationId);
    return clustersOfOrganization(ctx, organizationId, clusterListOptions(input));
  },
});
