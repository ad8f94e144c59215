import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation.ts';
import type { Around } from '../../../platform/paging/around.ts';
import { listing } from '../../../platform/paging/listing.ts';
import {
  inCollections,
  inOrganizations,
  type ListConditions,
  organizationFor,
  permissions,
} from '../../people/access/index.ts';
import { collectionFor } from './access.ts';

type Placed = Row<'collection'> & { rank: string };

/** Whether collections inside other collections are included. Default true. */
interface Nesting {
  nested?: boolean | null | undefined;
}

const isSeen = (conditions: ListConditions) => conditions.collection('c', permissions.getCollection.collection);

const placedUnder = (parentId: RawBuilder<string>, conditions: ListConditions) => sql`
  from placement at join collection c on c.id = at.item_id
  where at.parent_id = ${parentId} and ${isSeen(conditions)}`;

const byPosition = [
  { by: sql`at.rank`, key: 'rank', direction: 'asc', type: 'text' },
  { by: sql`c.id`, key: 'id', direction: 'asc', type: 'text' },
] as const;

/** The direct children of a parent, by position. */
const collectionsUnder = (around: Around<ListConditions>) =>
  listing<object, Placed, ListConditions>({
    isShared: true,
    totalsFollowAccess: true,
    name: 'collection.collections',
    select: sql`c.*, at.rank`,
    around,
    from: (parentId, _args, _ctx, _bounded, conditions) => placedUnder(parentId, conditions),
    order: () => [...byPosition],
  });

const topLevel = collectionsUnder(inOrganizations);
const childrenOfCollection = collectionsUnder(inCollections);

const allCollections = listing<object, Row<'collection'>, ListConditions>({
  isShared: true,
  totalsFollowAccess: true,
  name: 'organization.collections',
  select: sql`c.*`,
  around: inOrganizations,
  from: (organizationId, _args, _ctx, _bounded, conditions) => sql`
    from collection c where c.organization_id = ${organizationId} and ${isSeen(conditions)}`,
  order: () => [
    { by: sql`c.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`c.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

/** The collections of an organization that the caller can see: all of them, newest first, or the top level by position. */
export const collectionsOfOrganization = (ctx: Context, organizationId: string, { nested }: Nesting) =>
  (nested === false ? topLevel : allCollections)(ctx, organizationId, {});

export const collectionsOfCollection = (ctx: Context, collectionId: string) =>
  childrenOfCollection(ctx, collectionId, {});

export const listCollections = query({
  name: 'listCollections',
  description: 'Lists the collections of an organization that you can see, by default all of them, newest first.',
  input: z.object({
    organizationId: idOf('org'),
    nested: z
      .boolean()
      .nullish()
      .describe(
        'Whether to include collections inside other collections. True (default): all collections, newest first. False: only the top level, by position.',
      ),
  }),
  async run(ctx, { organizationId, nested }) {
    await organizationFor(ctx, organizationId, permissions.listCollections.organization);
    return collectionsOfOrganization(ctx, organizationId, { nested });
  },
});

export const listCollectionsInCollection = query({
  name: 'listCollectionsInCollection',
  description: 'Lists the collections directly inside a collection that you can see, ordered by position.',
  input: z.object({ collectionId: idOf('collection') }),
  async run(ctx, { collectionId }) {
    await collectionFor(ctx, collectionId, permissions.listCollectionsInCollection.collection);
    return collectionsOfCollection(ctx, collectionId);
  },
});
