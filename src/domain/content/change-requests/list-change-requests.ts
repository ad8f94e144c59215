import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing, type OrderPart } from '../../../platform/paging/listing.ts';
import { inSpacesWith, permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { ChangeRequestRow } from './access.ts';
import { type Filters, filterInput, filtersOf, passes } from './filters.ts';

const needed = permissions.listChangeRequests.space;

/** Most recently updated first. */
export const byUpdate: OrderPart<ChangeRequestRow>[] = [
  { by: sql`cr.updated_at`, key: 'updatedAt', direction: 'desc', type: 'timestamptz' },
  { by: sql`cr.id`, key: 'id', direction: 'desc', type: 'text' },
];

/** The change requests of a space. Empty if the caller can see the space only through a published site. */
export const changeRequestsOfSpace = listing<Filters, ChangeRequestRow>({
  isShared: true,
  name: 'space.changeRequests',
  select: sql`cr.*`,
  around: inSpacesWith(permissions.getChangeRequest.space),
  from: (spaceId, filters) => sql`from change_request cr where cr.space_id = ${spaceId} and ${passes(filters)}`,
  order: () => byUpdate,
});

export const listChangeRequests = query({
  name: 'listChangeRequests',
  description: 'Lists the change requests of a space, most recently updated first. Requires a role on the space.',
  input: z.object({ spaceId: idOf('space'), ...filterInput }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed),
  async run(ctx, { spaceId, ...given }) {
    await spaceFor(ctx, spaceId, needed);
    return changeRequestsOfSpace(ctx, spaceId, filtersOf(given));
  },
});
