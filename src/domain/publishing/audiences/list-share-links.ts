import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import type { ShareLinkRow } from './load.ts';

const needed = permissions.listShareLinks.site;

interface Filter {
  search: string | null;
}

const listed = listing<Filter, ShareLinkRow>({
  name: 'site.shareLinks',
  select: sql`sl.*`,
  from: (siteId, { search }) => sql`
    from share_link sl where sl.site_id = ${siteId}
      ${search === null ? sql`` : sql`and sl.name ilike ${`%${search.replaceAll(/[\\%_]/g, '\\$&')}%`}`}`,
  order: () => [
    { by: sql`sl.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`sl.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

/** The share links of a site. Throws for callers who do not administer it. */
export async function shareLinksOfSite(ctx: Context, siteId: string, search?: string | null) {
  await siteFor(ctx, { siteId }, needed);
  return listed(ctx, siteId, { search: search ?? null });
}

export const listShareLinks = query({
  name: 'listShareLinks',
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
