import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc, desc, sortBy } from '../../../platform/paging/order.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import type { RedirectRow } from './access.ts';

const needed = permissions.listSiteRedirects.site;

const redirectOrder = namedEnum('SiteRedirectOrder', 'Order of a list of redirects.', {
  createdAt: 'Newest first.',
  updatedAt: 'Most recently updated first.',
  source: 'By the path that is redirected.',
});

interface Filters {
  search: string | null;
  draft: boolean;
  orderBy: z.output<typeof redirectOrder>;
}

const ORDERS = {
  createdAt: desc('createdAt', 'timestamptz'),
  updatedAt: desc('updatedAt', 'timestamptz'),
  source: asc('key'),
};

const listed = listing<Filters, RedirectRow>({
  name: 'site.redirects',
  from: 'site_redirect as d',
  parent: 'siteId',
  where: ({ search, draft }) => [
    sql`d.is_draft = ${draft}`,
    search !== null && sql`position(lower(${search}) in lower(d.source)) > 0`,
  ],
  order: ({ orderBy }) => [ORDERS[orderBy], sortBy('id', ORDERS[orderBy].direction)],
});

const redirectsOfSite = (
  ctx: Context,
  siteId: string,
  { search, draft, orderBy }: { [Name in keyof Filters]?: Filters[Name] | null | undefined },
) => listed(ctx, siteId, { search: search ?? null, draft: draft ?? false, orderBy: orderBy ?? 'createdAt' });

export const listSiteRedirects = query({
  name: 'listSiteRedirects',
  description: 'Lists the redirects of a site.',
  input: z.object({
    ...siteName,
    search: z.string().max(512).nullish().describe('Only redirects whose source contains this text, ignoring case.'),
    draft: z.boolean().nullish().describe('Whether to list drafts instead of live redirects. Default false.'),
    orderBy: redirectOrder.nullish().describe('Order of the redirects. By default, newest first.'),
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { search, draft, orderBy, ...name }) {
    const { id } = await siteFor(ctx, name, needed);
    return redirectsOfSite(ctx, id, { search, draft, orderBy });
  },
});
