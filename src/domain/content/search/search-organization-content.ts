import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { organizationFor, permissions } from '../../people/access/index.ts';
import { searchText } from './search-text.ts';
import { searchedSpaces } from './searched-spaces.ts';
import { viewableSpaces } from './viewable-spaces.ts';

/** Searches the spaces of an organization that the caller can view. */
export const searchedInOrganization = (ctx: Context, organizationId: string, text: string) =>
  searchedSpaces(ctx, {
    binding: `organization.search:${organizationId}`,
    scope: async () => ({ organizationId, spaces: await viewableSpaces(ctx, organizationId) }),
    text,
  });

export const searchOrganizationContent = query({
  name: 'searchOrganizationContent',
  description:
    'Searches the primary content of all spaces of an organization that you can see, like the search of a space. Spaces are found by their title or their pages. The best matches come first, each with up to ten pages.',
  input: z.object({ organizationId: idOf('org'), query: searchText }),
  authorize: (ctx, ids) =>
    organizationFor(ctx, ids.organizationId ?? '', permissions.searchOrganizationContent.organization),
  async run(ctx, { organizationId, query: text }) {
    await organizationFor(ctx, organizationId, permissions.searchOrganizationContent.organization);
    return searchedInOrganization(ctx, organizationId, text);
  },
});
