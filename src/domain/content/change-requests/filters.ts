import { sql } from 'kysely';
import type { z } from 'zod';
import { idOf } from '../../../platform/operation/operation.ts';
import { changeRequestStatusFilter } from './enums.ts';

/** Filters of the lists of change requests. */
export const filterInput = {
  status: changeRequestStatusFilter
    .nullish()
    .describe('Only change requests with this status. Default: open change requests.'),
  creator: idOf('user').nullish().describe('Only change requests created by this user.'),
  contributor: idOf('user').nullish().describe('Only change requests that this user created or edited.'),
  requestedReviewer: idOf('user').nullish().describe('Only change requests that this user was asked to review.'),
  issuesCluster: idOf('cluster').nullish().describe('Only change requests created for this cluster of issues.'),
};

/** Normalized filters. Cursors are bound to them, so equal filters must be equal as JSON. */
export interface Filters {
  status: z.output<typeof changeRequestStatusFilter>;
  creator?: string | undefined;
  contributor?: string | undefined;
  requestedReviewer?: string | undefined;
  issuesCluster?: string | undefined;
}

type Given = { [Name in keyof typeof filterInput]?: z.output<(typeof filterInput)[Name]> };

export const toChangeRequestFilters = ({
  status,
  creator,
  contributor,
  requestedReviewer,
  issuesCluster,
}: Given): Filters => ({
  status: status ?? 'open',
  creator: creator ?? undefined,
  contributor: contributor ?? undefined,
  requestedReviewer: requestedReviewer ?? undefined,
  issuesCluster: issuesCluster ?? undefined,
});

/** SQL conditions on `cr`. */
export const changeRequestConditions = ({
  status,
  creator,
  contributor,
  requestedReviewer,
  issuesCluster,
}: Filters) => [
  status !== 'all' && sql`cr.status = ${status}`,
  creator !== undefined && sql`cr.created_by = ${creator}`,
  contributor !== undefined && isContributor(contributor),
  requestedReviewer !== undefined && isRequested(requestedReviewer),
  issuesCluster !== undefined && sql`cr.issues_cluster_id = ${issuesCluster}`,
];

const isContributor = (userId: string) => sql<boolean>`(cr.created_by = ${userId} or exists (
  select from revision r where r.change_request_id = cr.id and r.created_by = ${userId}))`;

const isRequested = (userId: string) => sql<boolean>`exists (
  select from requested_reviewer rr where rr.change_request_id = cr.id and rr.user_id = ${userId})`;
