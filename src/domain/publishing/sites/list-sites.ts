import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { organizationFor, organizationLists, permissions } from '../../people/access/index.ts';
import { siteType } from './enums.ts';

interface Filters {
  space: string | null;
  title: string | null;
  published: boolean | null;
  type: readonly string[] | null;
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

const listed = listing<Filters, Row<'site'>>({
  name: 'organization.sites',
  from: 'site as w',
  parent: 'organizationId',
  where: ({ space, title, published, type }) => [
    space !== null && sql`exists (select from site_space l where l.site_id = w.id and l.space_id = ${space})`,
    title !== null && sql`w.title ilike ${`%${escaped(title)}%`}`,
    published !== null && sql`w.is_published = ${published}`,
    type !== null && sql`w.type = any(${[...type]}::text[])`,
  ],
  order: newestFirst,
  access: organizationLists({ site: 'w', role: 'read' }),
});

const filterFields = {
  space: idOf('space').nullish().describe('Only sites that contain the space with this ID.'),
  title: z.string().max(128).nullish().describe('Only sites whose title contains this text, ignoring case.'),
  published: z.boolean().nullish().describe('Only sites that are published, or only sites that are not.'),
  type: z.array(siteType).max(10).nullish().describe('Only sites of these plans.'),
};

export const sitesOfOrganization = (
  ctx: Context,
  organizationId: string,
  { space, title, published, type }: { [Name in keyof Filters]?: Filters[Name] | undefined },
) =>
  listed(ctx, organizationId, {
    space: space ?? null,
    title: title ?? null,
    published: published ?? null,
    type: type ?? null,
  });

export const listSites = query({
  name: 'listSites',
  description: 'Lists the sites of an organization that you have a role on, newest first.',
  input: z.object({ organizationId: idOf('org'), ...filterFields }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, permissions.listSites.organization),
  async run(ctx, { organizationId, ...filters }) {
    await organizationFor(ctx, organizationId, permissions.listSites.organization);
    return sitesOfOrganization(ctx, organizationId, filters);
  },
});
