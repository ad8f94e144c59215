import { sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import {
  type ChangeRequestRow,
  changeRequestStatusFilter,
  latestUpdateFirst,
} from '../../content/change-requests/index.ts';
import { conditionsInSql, permissions } from '../../people/access/index.ts';
import { clusterFor } from './access.ts';
import { clusterName } from './get-issues-cluster.ts';

const needed = permissions.listClusterChangeRequests.organization;

type Status = z.output<typeof changeRequestStatusFilter>;

/** Change requests of a cluster in spaces that the caller can read. Does not check access to the cluster. */
export const changeRequestsOfCluster = listing<{ status: Status }, ChangeRequestRow>({
  name: 'issuesCluster.changeRequests',
  from: 'change_request as cr',
  join: sql`join space s on s.id = cr.space_id`,
  parent: 'issuesClusterId',
  where: ({ status }, { ctx }) => [
    status !== 'all' && sql`cr.status = ${status}`,
    sql`s.deleted_at is null`,
    conditionsInSql(ctx).space('s', permissions.getChangeRequest.space),
  ],
  order: latestUpdateFirst,
});

export const listClusterChangeRequests = query({
  name: 'listClusterChangeRequests',
  description:
    'Lists the change requests that were created for a cluster, in spaces that you have a role on, most recently updated first.',
  input: z.object({
    ...clusterName,
    status: changeRequestStatusFilter
      .nullish()
      .describe('Only change requests with this status. Default: change requests of any status.'),
  }),
  authorize: (ctx, { clusterId = '', organizationId }) =>
    clusterFor(ctx, { id: clusterId, organizationId: organizationId || null }, needed),
  async run(ctx, { clusterId, organizationId, status }) {
    const { id } = await clusterFor(ctx, { id: clusterId, organizationId }, needed);
    return changeRequestsOfCluster(ctx, id, { status: status ?? 'all' });
  },
});
