import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { searchedSpaces, searchText } from '../../content/search/index.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, shareKey, siteFor, siteName } from '../sites/index.ts';
import { type GivenScope, searchedSpacesOfSite, searchScope } from './searched-spaces.ts';

const needed = permissions.searchSiteContent.site;

const ALL_SPACES: GivenScope = { mode: 'all' };

/** Searches spaces of a site that the caller can see. */
export const searchedOnSite = (
  ctx: Context,
  site: { id: string; organizationId: string },
  { query: text, scope }: { query: string; scope?: GivenScope | null | undefined },
) =>
  searchedSpaces(ctx, {
    binding: `site.search:${site.id}:${JSON.stringify(scope ?? ALL_SPACES)}`,
    scope: () => searchedSpacesOfSite(ctx, site, scope ?? ALL_SPACES),
    text,
  });

export const searchSiteContent = query({
  name: 'searchSiteContent',
  description:
    'Searches the spaces of a site that you can see. Spaces with the best matching pages come first, each with up to ten pages.',
  openToAnonymous: true,
  input: z.object({
    ...siteName,
    query: searchText,
    scope: searchScope.nullish().describe('The spaces that are searched. By default, all spaces of the site.'),
    shareKey,
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { query: text, scope, shareKey: key, ...name }) {
    const site = await siteFor(ctx, name, needed, { shareKey: key });
    return searchedOnSite(ctx, site, { query: text, scope });
  },
});
