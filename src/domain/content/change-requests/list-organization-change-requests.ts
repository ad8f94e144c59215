import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { inOrganizations, type ListConditions, organizationFor, permissions } from '../../people/access/index.ts';
import { type ChangeRequestRow, showsChangeRequests } from './access.ts';
import { type Filters, filterInput, filtersOf, passes } from './filters.ts';
import { byUpdate } from './list-change-requests.ts';

const needed = permissions.listOrganizationChangeRequests.organization;

export const changeRequestsOfOrganization = listing<Filters, ChangeRequestRow, ListConditions>({
  isShared: true,
  name: 'organization.changeRequests',
  select: sql`cr.*`,
  around: inOrganizations,
  from: (organizationId, filters, _ctx, _bounded, conditions) => sql`
    from change_request cr join space s on s.id = cr.space_id
    where cr.organization_id = ${organizationId} and ${passes(filters)} and ${showsChangeRequests(conditions)}`,
  order: () => byUpdate,
});

export const listOrganizationChangeRequests = query({
  name: 'listOrganizationChangeRequests',
  description:
    'Lists the change requests of all spaces of an organization that you have a role on, most recently updated first.',
  input: z.object({ organizationId: idOf('org'), ...filterInput }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, ...given }) {
    await organizationFor(ctx, organizationId, needed);
    return changeRequestsOfOrganization(ctx, organizationId, filtersOf(given));
  },
});
