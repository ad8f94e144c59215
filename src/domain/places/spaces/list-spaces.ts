import { sql } from 'kysely';
import { z } from 'zod';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc, newestFirst } from '../../../platform/paging/order.ts';
import { collectionLists, organizationFor, organizationLists, permissions } from '../../people/access/index.ts';
import { collectionFor } from '../collections/index.ts';

/** The spaces of an organization that the caller can see, newest first. */
export const spacesOfOrganization = listing<object, Row<'space'>>({
  name: 'organization.spaces',
  from: 'space as s',
  select: sql`s.*, (select ap.parent_id from placement ap where ap.item_id = s.id) as "accessParentId"`,
  parent: 'organizationId',
  order: newestFirst,
  access: organizationLists({ listedSpace: 's' }),
  isShared: true,
});

/** The spaces directly inside a collection that the caller can see, by position. */
export const spacesOfCollection = listing<object, Row<'space'> & { rank: string }>({
  name: 'collection.spaces',
  from: 'space as s',
  join: sql`join placement at on at.item_id = s.id`,
  select: sql`s.*, at.rank, at.parent_id as "accessParentId"`,
  parent: 'at.parentId',
  order: [asc('rank', 'text', 'at.rank'), asc('id')],
  access: collectionLists({ listedSpace: 's' }),
});

export const listSpaces = query({
  name: 'listSpaces',
  description: 'Lists the spaces of an organization that you can see, including spaces in collections, newest first.',
  input: z.object({ organizationId: idOf('org') }),
  async run(ctx, { organizationId }) {
    await organizationFor(ctx, organizationId, permissions.listSpaces.organization);
    return spacesOfOrganization(ctx, organizationId, {});
  },
});

export const listSpacesInCollection = query({
  name: 'listSpacesInCollection',
  description: 'Lists the spaces directly inside a collection that you can see, ordered by position.',
  input: z.object({ collectionId: idOf('collection') }),
  async run(ctx, { collectionId }) {
    await collectionFor(ctx, collectionId, permissions.listSpacesInCollection.collection);
    return spacesOfCollection(ctx, collectionId, {});
  },
});
