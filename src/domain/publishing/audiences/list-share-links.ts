import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import type { ShareLinkRow } from './load.ts';

const needed = permissions.listShareLinks.site;

interface Filter {
  search: string | null;
}

const listed = listing<Filter, ShareLinkRow>({
  name: 'site.shareLinks',
  from: 'share_link as sl',
  parent: 'siteId',
  where: ({ search }) => [search !== null && sql`sl.name ilike ${`%${search.replaceAll(/[\\%_]/g, '\\$&')}%`}`],
  order: newestFirst,
});

/** The share links of a site. Throws for callers who do not administer it. */
export async function shareLinksOfSite(ctx: Context, siteId: string, search?: string | null) {
  await siteFor(ctx, { siteId }, needed);
  return listed(ctx, siteId, { search: search ?? null });
}

export const listShareLinks = query({
  name: 'listShareLinks',
  scope: 'publish',
  description: 'Lists the share links of a site, newest first.',
  input: z.object({
    ...siteName,
    search: z.string().max(50).nullish().describe('Only links whose name contains this text, ignoring case.'),
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { search, ...name }) {
    const { id } = await siteFor(ctx, name, needed);
    return shareLinksOfSite(ctx, id, search);
  },
});
