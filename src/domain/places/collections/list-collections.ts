import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { organizationFor, permissions, reaches, roleOn } from '../../people/access/index.ts';
import { collectionFor } from './access.ts';

type Placed = Row<'collection'> & { rank: string };

/** Whether collections inside other collections are included. Default true. */
interface Nesting {
  nested?: boolean | null | undefined;
}

const isSeen = (ctx: Context) => reaches(roleOn.collection(ctx.actor, 'c'), permissions.getCollection.collection);

const placedUnder = (parentId: RawBuilder<string>, ctx: Context) => sql`
  from placement at join collection c on c.id = at.item_id
  where at.parent_id = ${parentId} and ${isSeen(ctx)}`;

const byPosition = [
  { by: sql`at.rank`, key: 'rank', direction: 'asc', type: 'text' },
  { by: sql`c.id`, key: 'id', direction: 'asc', type: 'text' },
] as const;

/** The direct children of a collection, or the top level of an organization, by position. */
const collectionsUnder = listing<object, Placed>({
  name: 'collection.collections',
  select: sql`c.*, at.rank`,
  from: (parentId, _args, ctx) => placedUnder(parentId, ctx),
  order: () => [...byPosition],
});

const allCollections = listing<object, Row<'collection'>>({
  name: 'organization.collections',
  select: sql`c.*`,
  from: (organizationId, _args, ctx) => sql`
    from collection c where c.organization_id = ${organizationId} and ${isSeen(ctx)}`,
  order: () => [
    { by: sql`c.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`c.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

/** The collections of an organization that the caller can see: all of them, newest first, or the top level by position. */
export const collectionsOfOrganization = (ctx: Context, organizationId: string, { nested }: Nesting) =>
  (nested === false ? collectionsUnder : allCollections)(ctx, organizationId, {});

export const collectionsOfCollection = (ctx: Context, collectionId: string) => collectionsUnder(ctx, collectionId, {});

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
