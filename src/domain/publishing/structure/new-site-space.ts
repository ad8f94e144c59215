import { slugify, uniqueSlug } from '../../../lib/slug.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { newId } from '../../../platform/ids/ids.ts';
import type { SiteNavigation } from '../navigation/index.ts';
import { pathsBesideSpaces } from './paths.ts';
import { lastRank, ranksAfter } from './ranks.ts';

interface NewSiteSpace {
  siteId: string;
  sectionId: string | null;
  space: Pick<Row<'space'>, 'id' | 'organizationId' | 'title'>;
  /** Default: the last of its level. */
  afterId?: string;
}

/** Adds a space to a level of a locked site. The first one of a level is its default. */
export async function insertSiteSpace(
  ctx: Context,
  structure: SiteNavigation,
  { siteId, sectionId, space, afterId }: NewSiteSpace,
): Promise<string> {
  const siblings = structure.siteSpacesIn(sectionId);
  const [id, now] = [newId('sitespace'), nowOf(ctx)];
  await ctx.db
    .insertInto('site_space')
    .values({
      id,
      organizationId: space.organizationId,
      siteId,
      sectionId,
      spaceId: space.id,
      path: uniqueSlug(slugify(space.title), pathsBesideSpaces(structure, sectionId)),
      rank: (afterId === undefined ? undefined : ranksAfter(siblings, afterId, 1)[0]) ?? lastRank(siblings),
      isDefault: siblings.length === 0,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  return id;
}
