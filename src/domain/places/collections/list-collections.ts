import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { containsText } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import type { AccessFilter } from '../../../platform/paging/access-filter.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc, newestFirst } from '../../../platform/paging/order.ts';
import { orderedBy, orderInput } from '../../../platform/paging/order-by.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { collectionLists, organizationFor, organizationLists, permissions } from '../../people/access/index.ts';
import { collectionFor } from './access.ts';
import { collectionOrderField } from './enums.ts';

const choiceInput = {
  nested: z
    .boolean()
    .nullish()
    .describe(
      'Whether to include collections inside other collections. True (default): all collections, newest first. False: only the top level, by position.',
    ),
  search: multilineText(0, 256)
    .nullish()
    .describe('Only collections whose title or description contains this text, ignoring case.'),
  orderBy: orderInput('CollectionOrder', 'Sort order of collections.', collectionOrderField)
    .nullish()
    .describe('Sort order. Default: newest first, or by position if `nested` is false.'),
};

type ChoiceInput = { [Name in keyof typeof choiceInput]?: z.output<(typeof choiceInput)[Name]> };

/** Filter and order without those that are not set. Cursors are bound to them. */
const listOptions = ({ search, orderBy }: ChoiceInput) => ({
  ...(search && { search: search.toLowerCase() }),
  ...(orderBy && { orderBy }),
});

type Choice = ReturnType<typeof listOptions>;
type Listed = Row<'collection'> & { titleKey: string };
type Placed = Listed & { rank: string };

const isFound = ({ search }: Choice) => [
  search !== undefined && sql`(${containsText(sql`c.title`, search)} or ${containsText(sql`c.description`, search)})`,
];

const orderOf = ({ field, direction }: NonNullable<Choice['orderBy']>) =>
  field === 'title'
    ? orderedBy({ key: 'titleKey', type: 'text', by: sql`lower(c.title)` }, direction)
    : orderedBy({ key: field, type: 'timestamptz' }, direction);

const visible = { collection: 'c', role: permissions.getCollection.collection };

const byPosition = [asc('rank', 'text', 'at.rank'), asc('id')] as const;

/** The direct children of a parent, by position unless an order is given. */
const collectionsUnder = (access: AccessFilter<undefined>) =>
  listing<Choice, Placed>({
    name: 'collection.collections',
    from: 'collection as c',
    join: sql`join placement at on at.item_id = c.id`,
    select: sql`c.*, lower(c.title) as title_key, at.rank`,
    parent: 'at.parentId',
    where: isFound,
    order: ({ orderBy }) => (orderBy ? orderOf(orderBy) : byPosition),
    access,
  });

const topLevel = collectionsUnder(organizationLists(visible));
const childrenOfCollection = collectionsUnder(collectionLists(visible));

const allCollections = listing<Choice, Listed>({
  name: 'organization.collections',
  from: 'collection as c',
  select: sql`c.*, lower(c.title) as title_key`,
  parent: 'organizationId',
  where: isFound,
  order: ({ orderBy }) => (orderBy ? orderOf(orderBy) : newestFirst),
  access: organizationLists(visible),
});

/**
 * The collections of an organization that the caller can see, unless an order is given: all of them, newest first, or
 * the top level by position.
 */
export const collectionsOfOrganization = (ctx: Context, organizationId: string, input: ChoiceInput) =>
  (input.nested === false ? topLevel : allCollections)(ctx, organizationId, listOptions(input));

export const collectionsOfCollection = (ctx: Context, collectionId: string) =>
  childrenOfCollection(ctx, collectionId, {});

export const listCollections = query({
  name: 'listCollections',
  description: 'Lists the collections of an organization that you can see, by default all of them, newest first.',
  input: z.object({ organizationId: idOf('org'), ...choiceInput }),
  async run(ctx, { organizationId, ...input }) {
    await organizationFor(ctx, organizationId, permissions.listCollections.organization);
    return collectionsOfOrganization(ctx, organizationId, input);
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
