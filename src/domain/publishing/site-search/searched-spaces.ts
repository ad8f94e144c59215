import { z } from 'zod';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import type { TitledScope } from '../../content/search/index.ts';
import { accessLoader } from '../../people/access/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { MAX_SITE_SPACES } from '../sites/index.ts';
import { defaultOf, type SiteSpaceRow, structureFor } from '../structure/index.ts';

const searchMode = namedEnum('SiteSearchMode', 'Which spaces of a site are searched.', {
  default: 'The current site space, and the default one of each other section.',
  all: 'All spaces of the site.',
  specific: 'The spaces in `siteSpaceIds`.',
});

const restriction = namedEnum('SiteSearchRestriction', 'Which spaces of the mode `default` are searched.', {
  currentSiteSpace: 'Only the current one.',
  otherSiteSpaces: 'All except the current one.',
});

export const searchScope = z
  .object({
    mode: searchMode.describe('Which spaces are searched.'),
    currentSiteSpace: idOf('sitespace')
      .nullish()
      .describe('ID of the site space that the visitor reads. Only for the mode `default`.'),
    restrictTo: restriction.nullish().describe('Restricts the mode `default`. Requires `currentSiteSpace`.'),
    siteSpaceIds: z
      .array(idOf('sitespace'))
      .min(1, 'must not be empty')
      .max(MAX_SITE_SPACES, `must be at most ${MAX_SITE_SPACES} IDs`)
      .nullish()
      .describe('IDs of spaces on the site. Required for the mode `specific`.'),
  })
  .refine(({ restrictTo, currentSiteSpace }) => restrictTo == null || currentSiteSpace != null, {
    error: 'requires "currentSiteSpace"',
    path: ['restrictTo'],
  })
  .refine(({ mode, siteSpaceIds }) => mode !== 'specific' || siteSpaceIds != null, {
    error: 'is required for this mode',
    path: ['siteSpaceIds'],
  })
  .meta({ inputName: 'SiteSearchScopeInput', description: 'The spaces of a site that are searched.' });

export type GivenScope = z.output<typeof searchScope>;

/** The spaces that a search reads, of those that the caller can see on the site. BAD_USER_INPUT for others. */
export async function searchedSpacesOfSite(
  ctx: Context,
  { id, organizationId }: { id: string; organizationId: string },
  scope: GivenScope,
): Promise<TitledScope> {
  const chosen = await chosenSiteSpaces(ctx, id, scope);
  const ids = [...new Set(chosen.map(({ spaceId }) => spaceId))];
  const spaces = await Promise.all(
    ids.map(async (spaceId) => {
      const [space, access] = await Promise.all([loadSpace(ctx, spaceId), accessLoader.space(ctx, spaceId)]);
      const { title = '', language = null } = space ?? {};
      return { id: spaceId, title, language, findsAll: atLeast(access?.role, 'read') };
    }),
  );
  return { organizationId, spaces };
}

async function chosenSiteSpaces(ctx: Context, siteId: string, scope: GivenScope): Promise<readonly SiteSpaceRow[]> {
  const structure = await structureFor(ctx, siteId);
  const named = (siteSpaceId: string, path: (string | number)[]) => {
    const siteSpace = structure.siteSpace(siteSpaceId);
    if (!siteSpace)
      throw badInput(
        ['scope', ...path],
        `"${siteSpaceId}" is not a space of this site, or you cannot see it.`,
        'NOT_FOUND',
      );
    return siteSpace;
  };
  if (scope.mode === 'all') return structure.siteSpaces;
  if (scope.mode === 'specific')
    return (scope.siteSpaceIds ?? []).map((id, index) => named(id, ['siteSpaceIds', index]));
  const current = scope.currentSiteSpace == null ? undefined : named(scope.currentSiteSpace, ['currentSiteSpace']);
  const sections = structure.sections.length > 0 ? structure.sections.map((section) => section.id) : [null];
  const others = sections
    .filter((sectionId) => !current || sectionId !== current.sectionId)
    .flatMap((sectionId) => defaultOf(structure.siteSpacesIn(sectionId)) ?? []);
  if (scope.restrictTo === 'otherSiteSpaces') return others;
  if (scope.restrictTo === 'currentSiteSpace') return current ? [current] : [];
  return current ? [current, ...others] : others;
}
