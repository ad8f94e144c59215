import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import type { AccessFilter } from '../../../platform/paging/access-filter.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc, newestFirst } from '../../../platform/paging/order.ts';
import { collectionLists, organizationFor, organizationLists, permissions } from '../../people/access/index.ts';
import { collectionFor } from './access.ts';

type Placed = Row<'collection'> & { rank: string };

/** Whether collections inside other collections are included. Default true. */
interface Nesting {
  nested?: boolean | null | undefined;
}

const visible = { collection: 'c', role: permissions.getCollection.collection };

/** The direct children of a parent, by position. */
const collectionsUnder = (access: AccessFilter<undefined>) =>
  listing<object, Placed>({
    name: 'collection.collections',
    from: 'collection as c',
    join: sql`join placement at on at.item_id = c.id`,
    select: sql`c.*, at.rank`,
    parent: 'at.parentId',
    order: [asc('rank', 'text', 'at.rank'), asc('id')],
    access,
  });

const topLevel = collectionsUnder(organizationLists(visible));
const childrenOfCollection = collectionsUnder(collectionLists(visible));

const allCollections = listing<object, Row<'collection'>>({
  name: 'organization.collections',
  from: 'collection as c',
  parent: 'organizationId',
  order: newestFirst,
  access: organizationLists(visible),
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
