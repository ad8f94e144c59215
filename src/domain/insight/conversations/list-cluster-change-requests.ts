import { sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import {
  byUpdate,
  type ChangeRequestRow,
  changeRequestStatusFilter,
  showsChangeRequests,
} from '../../content/change-requests/index.ts';
import { conditionsByWalk, type ListConditions, permissions } from '../../people/access/index.ts';
import { clusterFor } from './access.ts';
import { clusterName } from './get-issues-cluster.ts';

const needed = permissions.listClusterChangeRequests.organization;

type Status = z.output<typeof changeRequestStatusFilter>;

/** Change requests of a cluster in spaces that the caller can read. Does not check access to the cluster. */
export const changeRequestsOfCluster = listing<{ status: Status }, ChangeRequestRow, ListConditions>({
  name: 'issuesCluster.changeRequests',
  select: sql`cr.*`,
  around: (ctx, _clusterIds, read) => read({ columns: sql``, joins: sql``, conditions: conditionsByWalk(ctx) }),
  from: (clusterId, { status }, _ctx, _bounded, conditions) => sql`
    from change_request cr join space s on s.id = cr.space_id
    where cr.issues_cluster_id = ${clusterId} ${status === 'all' ? sql`` : sql`and cr.status = ${status}`}
      and ${showsChangeRequests(conditions)}`,
  order: () => byUpdate,
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
