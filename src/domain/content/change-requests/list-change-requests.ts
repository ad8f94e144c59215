import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { desc } from '../../../platform/paging/order.ts';
import { permissions, spaceLists } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { ChangeRequestRow } from './access.ts';
import { changeRequestConditions, type Filters, filterInput, toChangeRequestFilters } from './filters.ts';

const needed = permissions.listChangeRequests.space;

export const latestUpdateFirst = [desc('updatedAt', 'timestamptz'), desc('id')];

/** The change requests of a space. Empty if the caller can see the space only through a published site. */
export const changeRequestsOfSpace = listing<Filters, ChangeRequestRow>({
  name: 'space.changeRequests',
  from: 'change_request as cr',
  parent: 'spaceId',
  where: changeRequestConditions,
  order: latestUpdateFirst,
  access: spaceLists(permissions.getChangeRequest.space),
  isShared: true,
});

export const listChangeRequests = query({
  name: 'listChangeRequests',
  description: 'Lists the change requests of a space, most recently updated first. Requires a role on the space.',
  input: z.object({ spaceId: idOf('space'), ...filterInput }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async run(ctx, { spaceId, ...filter }) {
    await spaceFor(ctx, spaceId, needed);
    return changeRequestsOfSpace(ctx, spaceId, toChangeRequestFilters(filter));
  },
});
