import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { containsText } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import { orderedBy, orderInput } from '../../../platform/paging/order-by.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { collectionLists, organizationFor, organizationLists, permissions } from '../../people/access/index.ts';
import { collectionFor } from '../collections/index.ts';
import { contentVisibility, editMode, spaceOrderField } from './enums.ts';
import { hasVisibility } from './visibility.ts';

const choiceInput = {
  search: multilineText(0, 256).nullish().describe('Only spaces whose title contains this text, ignoring case.'),
  visibility: z
    .array(contentVisibility)
    .max(contentVisibility.options.length)
    .nullish()
    .describe('Only spaces with one of these visibilities. All, if left out or empty.'),
  editMode: editMode.nullish().describe('Filter by edit mode.'),
  orderBy: orderInput('SpaceOrder', 'Sort order of spaces.', spaceOrderField)
    .nullish()
    .describe('Sort order. Default: newest first.'),
};

type ChoiceInput = { [Name in keyof typeof choiceInput]?: z.output<(typeof choiceInput)[Name]> };

/** Filters and order without those that are not set. Cursors are bound to them. */
const listOptions = ({ search, visibility, editMode: mode, orderBy }: ChoiceInput) => ({
  ...(search && { search: search.toLowerCase() }),
  ...(visibility?.length && { visibility }),
  ...(mode && { editMode: mode }),
  ...(orderBy && { orderBy }),
});

type ListedSpace = Row<'space'> & { titleKey: string };

const listed = listing<ReturnType<typeof listOptions>, ListedSpace>({
  name: 'organization.spaces',
  from: 'space as s',
  where: ({ search, visibility, editMode: mode }, { ctx }) => [
    search !== undefined && containsText(sql`s.title`, search),
    visibility !== undefined && hasVisibility(ctx.actor, 's', visibility),
    mode !== undefined && sql`s.edit_mode = ${mode}`,
  ],
  select: sql`s.*, lower(s.title) as title_key, (select ap.parent_id from placement ap where ap.item_id = s.id) as "accessParentId"`,
  parent: 'organizationId',
  order: ({ orderBy: { field, direction } = NEWEST_FIRST }) =>
    field === 'title'
      ? orderedBy({ key: 'titleKey', type: 'text', by: sql`lower(s.title)` }, direction)
      : orderedBy({ key: field, type: 'timestamptz' }, direction),
  access: organizationLists({ listedSpace: 's' }),
  isShared: true,
});

const NEWEST_FIRST = { field: 'createdAt', direction: 'desc' } as const;

/** The spaces of an organization that the caller can see, newest first unless an order is given. */
export const spacesOfOrganization = (ctx: Context, organizationId: string, input: ChoiceInput) =>
  listed(ctx, organizationId, listOptions(input));

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
  description:
    'Lists the spaces of an organization that you can see, including spaces in collections, by default newest first.',
  input: z.object({ organizationId: idOf('org'), ...choiceInput }),
  async run(ctx, { organizationId, ...input }) {
    await organizationFor(ctx, organizationId, permissions.listSpaces.organization);
    return spacesOfOrganization(ctx, organizationId, input);
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
