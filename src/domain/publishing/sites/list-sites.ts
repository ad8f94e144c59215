import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { containsText } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { orderedBy, orderInput } from '../../../platform/paging/order-by.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { organizationFor, organizationLists, permissions } from '../../people/access/index.ts';
import { siteOrderField, siteType, siteVisibility } from './enums.ts';

interface Filters {
  space: string | null;
  title: string | null;
  published: boolean | null;
  type: readonly string[] | null;
  search?: string;
  visibility?: readonly z.output<typeof siteVisibility>[];
  orderBy?: z.output<typeof order>;
}

const order = orderInput('SiteOrder', 'Sort order of sites.', siteOrderField);

type ListedSite = Row<'site'> & { titleKey: string };

const NEWEST_FIRST = { field: 'createdAt', direction: 'desc' } as const;

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

const listed = listing<Filters, ListedSite>({
  name: 'organization.sites',
  from: 'site as w',
  select: sql`w.*, lower(w.title) as title_key`,
  parent: 'organizationId',
  where: ({ space, title, published, type, search, visibility }) => [
    space !== null && sql`exists (select from site_space l where l.site_id = w.id and l.space_id = ${space})`,
    title !== null && sql`w.title ilike ${`%${escaped(title)}%`}`,
    published !== null && sql`w.is_published = ${published}`,
    type !== null && sql`w.type = any(${[...type]}::text[])`,
    search !== undefined &&
      sql`(${containsText(sql`w.title`, search)} or ${containsText(sql`w.hostname`, search)} or ${containsText(sql`w.basename`, search)})`,
    visibility !== undefined && sql`w.visibility = any(${[...visibility]}::text[])`,
  ],
  order: ({ orderBy: { field, direction } = NEWEST_FIRST }) =>
    field === 'title'
      ? orderedBy({ key: 'titleKey', type: 'text', by: sql`lower(w.title)` }, direction)
      : orderedBy({ key: field, type: 'timestamptz' }, direction),
  access: organizationLists({ site: 'w', role: 'read' }),
});

const filterFields = {
  space: idOf('space').nullish().describe('Only sites that contain the space with this ID.'),
  title: z.string().max(128).nullish().describe('Only sites whose title contains this text, ignoring case.'),
  published: z.boolean().nullish().describe('Only sites that are published, or only sites that are not.'),
  type: z.array(siteType).max(10).nullish().describe('Only sites of these plans.'),
  search: multilineText(0, 256)
    .nullish()
    .describe('Only sites whose title, hostname or basename contains this text, ignoring case.'),
  visibility: z
    .array(siteVisibility)
    .max(siteVisibility.options.length)
    .nullish()
    .describe('Only sites with one of these visibilities. All, if left out or empty.'),
  orderBy: order.nullish().describe('Sort order. Default: newest first.'),
};

type Given = { [Name in keyof typeof filterFields]?: z.output<(typeof filterFields)[Name]> };

export const sitesOfOrganization = (
  ctx: Context,
  organizationId: string,
  { space, title, published, type, search, visibility, orderBy }: Given,
) =>
  listed(ctx, organizationId, {
    space: space ?? null,
    title: title ?? null,
    published: published ?? null,
    type: type ?? null,
    ...(search && { search: search.toLowerCase() }),
    ...(visibility?.length && { visibility }),
    ...(orderBy && { orderBy }),
  });

export const listSites = query({
  name: 'listSites',
  description: 'Lists the sites of an organization that you have a role on, by default newest first.',
  input: z.object({ organizationId: idOf('org'), ...filterFields }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, permissions.listSites.organization),
  async run(ctx, { organizationId, ...filters }) {
    await organizationFor(ctx, organizationId, permissions.listSites.organization);
    return sitesOfOrganization(ctx, organizationId, filters);
  },
});
