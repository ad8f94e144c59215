import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing, type OrderPart } from '../../../platform/paging/listing.ts';
import { orderDirection } from '../../../platform/paging/order-direction.ts';
import { CLUSTER_COLUMNS, type ClusterRow, readsConversations } from './access.ts';
import { type ClusterOrderField, clusterOrderField, clusterStatusFilter } from './enums.ts';

const order = z
  .object({
    field: clusterOrderField.describe('Field to sort by.'),
    direction: orderDirection.describe('Sort direction.'),
  })
  .meta({ inputName: 'IssuesClusterOrder', description: 'Sort order of clusters of issues.' });

const choiceInput = {
  orderBy: order.nullish().describe('Sort order. Default: most recently updated first.'),
  status: clusterStatusFilter.nullish().describe('Only clusters with this status. Default: all clusters.'),
};

type Given = { [Name in keyof typeof choiceInput]?: z.output<(typeof choiceInput)[Name]> };

/** Normalized filter and order. Cursors are bound to them, so equal choices must be equal as JSON. */
interface Choice {
  field: ClusterOrderField;
  direction: z.output<typeof orderDirection>;
  status: z.output<typeof clusterStatusFilter> | null;
}

export const listOptions = ({ orderBy, status }: Given): Choice => ({
  field: orderBy?.field ?? 'updatedAt',
  direction: orderBy?.direction ?? 'desc',
  status: status ?? null,
});

/** A cluster with the counts that it can be sorted by. */
type ListedCluster = ClusterRow & { tasksTotal: number; tasksBacklog: number; tasksStarted: number };

type Key = Pick<OrderPart<ListedCluster>, 'by' | 'key' | 'type'>;

/** Each conversation has one issue. */
const bySize: Key = { by: sql`c.issues_count`, key: 'issuesCount', type: 'integer' };

const KEYS: Record<ClusterOrderField, Key> = {
  updatedAt: { by: sql`c.updated_at`, key: 'updatedAt', type: 'timestamptz' },
  issues: bySize,
  conversations: bySize,
  tasksTotal: { by: sql`t.total`, key: 'tasksTotal', type: 'bigint' },
  tasksBacklog: { by: sql`t.backlog`, key: 'tasksBacklog', type: 'bigint' },
  tasksStarted: { by: sql`t.started`, key: 'tasksStarted', type: 'bigint' },
};

const columns = sql.join(CLUSTER_COLUMNS.map((column) => sql.ref(`c.${column}`)));

export const clustersOfOrganization = listing<Choice, ListedCluster>({
  name: 'organization.issuesClusters',
  select: sql`${columns}, t.total as "tasksTotal", t.backlog as "tasksBacklog", t.started as "tasksStarted"`,
  from: (organizationId, { status }) => sql`
    from issues_cluster c cross join lateral (
      select count(*) as total, count(*) filter (where cr.status = 'draft') as backlog,
        count(*) filter (where cr.status = 'open') as started
      from change_request cr where cr.issues_cluster_id = c.id
    ) t
    where c.organization_id = ${organizationId} ${status === null ? sql`` : sql`and c.status = ${status}`}`,
  order: ({ field, direction }) => [
    { ...KEYS[field], direction },
    { by: sql`c.id`, key: 'id', direction, type: 'text' },
  ],
});

export const listIssuesClusters = query({
  name: 'listIssuesClusters',
  description: 'Lists the clusters of issues of an organization, most recently updated first. Not for guests.',
  input: z.object({ organizationId: idOf('org'), ...choiceInput }),
  authorize: (ctx, { organizationId = '' }) => readsConversations(ctx, organizationId),
  async run(ctx, { organizationId, ...given }) {
    await readsConversations(ctx, organizationId);
    return clustersOfOrganization(ctx, organizationId, listOptions(given));
  },
});
