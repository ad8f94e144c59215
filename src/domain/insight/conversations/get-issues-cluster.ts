import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { clusterFor } from './access.ts';

const needed = permissions.getIssuesCluster.organization;

/** The input by which operations identify a cluster. REST paths contain the organization as well. */
export const clusterName = {
  clusterId: idOf('cluster'),
  organizationId: idOf('org').nullish().describe('ID of the organization that the cluster must belong to.'),
};

export const getIssuesCluster = query({
  name: 'getIssuesCluster',
  description: 'Gets a cluster of issues. Not for guests of its organization.',
  input: z.object(clusterName),
  run: (ctx, { clusterId, organizationId }) => clusterFor(ctx, { id: clusterId, organizationId }, needed),
});
