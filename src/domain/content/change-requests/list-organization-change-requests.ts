import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { organizationFor, organizationLists, permissions } from '../../people/access/index.ts';
import type { ChangeRequestRow } from './access.ts';
import { changeRequestConditions, type Filters, filterInput, toChangeRequestFilters } from './filters.ts';
import { latestUpdateFirst } from './list-change-requests.ts';

const needed = permissions.listOrganizationChangeRequests.organization;

export const changeRequestsOfOrganization = listing<Filters, ChangeRequestRow>({
  name: 'organization.changeRequests',
  from: 'change_request as cr',
  join: sql`join space s on s.id = cr.space_id`,
  parent: 'organizationId',
  where: changeRequestConditions,
  order: latestUpdateFirst,
  access: organizationLists({ space: 's', role: permissions.getChangeRequest.space }),
});

export const listOrganizationChangeRequests = query({
  name: 'listOrganizationChangeRequests',
  description:
    'Lists the change requests of all spaces of an organization that you have a role on, most recently updated first.',
  input: z.object({ organizationId: idOf('org'), ...filterInput }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, ...filter }) {
    await organizationFor(ctx, organizationId, needed);
    return changeRequestsOfOrganization(ctx, organizationId, toChangeRequestFilters(filter));
  },
});
