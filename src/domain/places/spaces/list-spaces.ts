import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import {
  inCollections,
  inOrganizations,
  type ListConditions,
  organizationFor,
  permissions,
} from '../../people/access/index.ts';
import { collectionFor } from '../collections/index.ts';

/** Lists do not include deleted spaces. */
const isListed = (conditions: ListConditions, parent?: RawBuilder<string>) =>
  sql`s.deleted_at is null and ${conditions.listed('s', parent)}`;

/** The spaces of an organization that the caller can see, newest first. */
export const spacesOfOrganization = listing<object, Row<'space'>, ListConditions>({
  isShared: true,
  totalsFollowAccess: true,
  name: 'organization.spaces',
  select: sql`s.*`,
  around: inOrganizations,
  from: (organizationId, _args, _ctx, _bounded, conditions) => sql`
    from space s
    where s.organization_id = ${organizationId} and ${isListed(conditions)}`,
  counted: (organizationId, _args, _ctx, conditions) => sql`
    from space s left join placement at on at.item_id = s.id
    where s.organization_id = ${organizationId} and ${isListed(conditions, sql`at.parent_id`)}`,
  order: () => [
    { by: sql`s.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`s.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

/** The spaces directly inside a collection that the caller can see, by position. */
export const spacesOfCollection = listing<object, Row<'space'> & { rank: string }, ListConditions>({
  isShared: true,
  totalsFollowAccess: true,
  name: 'collection.spaces',
  select: sql`s.*, at.rank`,
  around: inCollections,
  from: (collectionId, _args, _ctx, _bounded, conditions) => sql`
    from placement at join space s on s.id = at.item_id
    where at.parent_id = ${collectionId} and ${isListed(conditions)}`,
  order: () => [
    { by: sql`at.rank`, key: 'rank', direction: 'asc', type: 'text' },
    { by: sql`s.id`, key: 'id', direction: 'asc', type: 'text' },
  ],
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
