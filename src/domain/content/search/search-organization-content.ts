import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { organizationFor, permissions, rowsOf, withConditions } from '../../people/access/index.ts';
import type { SearchedSpace } from './scope.ts';
import { searchText } from './search-text.ts';
import { searchedSpaces } from './searched-spaces.ts';

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
    'Searches the primary content of all spaces of an organization that you can see, like the search of a space. Spaces with the best matching pages come first, each with up to ten pages.',
  input: z.object({ organizationId: idOf('org'), query: searchText }),
  authorize: (ctx, ids) =>
    organizationFor(ctx, ids.organizationId ?? '', permissions.searchOrganizationContent.organization),
  async run(ctx, { organizationId, query: text }) {
    await organizationFor(ctx, organizationId, permissions.searchOrganizationContent.organization);
    return searchedInOrganization(ctx, organizationId, text);
  },
});

const viewableSpaces = (ctx: Context, organizationId: string): Promise<SearchedSpace[]> =>
  withConditions(ctx, organizationId, async (conditions) => {
    const rows = await rowsOf<SearchedSpace & { version: string; isFound: boolean | null }>(
      ctx,
      sql`
        select av.version, v.id, v.language, v."findsAll", v."findsAll" or v."isShown" as "isFound"
        from access_version av
        left join (
          select s.id, s.organization_id, s.language, ${conditions.space('s', 'read')} as "findsAll",
            ${conditions.shown('s')} as "isShown"
          from space s where s.organization_id = ${organizationId} and s.deleted_at is null offset 0
        ) v on v."findsAll" or v."isShown"
        where av.organization_id = ${organizationId}`,
    );
    return { version: rows[0]?.version, result: rows.filter(({ isFound }) => isFound) };
  });
