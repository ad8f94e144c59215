import type { Context } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { withAccessLock } from '../../people/access/index.ts';
import { readStructureUncached, type SiteNavigation, type SiteSpaceRow } from '../navigation/index.ts';
import { makeDefaultSiteSpace, Site } from '../sites/index.ts';
import { recordStructure } from './editing.ts';

/**
 * Removes a space from a locked site, with its customization. If it is the default of its level, the next one becomes
 * the default.
 */
export async function removeSiteSpace(ctx: Context, structure: SiteNavigation, siteSpace: SiteSpaceRow): Promise<void> {
  const { id, siteId, sectionId, isDefault } = siteSpace;
  await ctx.db.deleteFrom('site_space').where('id', '=', id).execute();
  await ctx.db.deleteFrom('site_customization').where('targetId', '=', id).execute();
  const next = isDefault && nextOf(structure.siteSpacesIn(sectionId), siteSpace);
  if (next) await makeDefaultSiteSpace(ctx, { siteId, sectionId, siteSpaceId: next.id });
}

/**
 * The next space of a level, otherwise the one before. Deleted ones are the last choice, because visitors do not see
 * them.
 */
function nextOf(level: readonly SiteSpaceRow[], siteSpace: SiteSpaceRow): SiteSpaceRow | undefined {
  const at = level.indexOf(siteSpace);
  const others = [...level.slice(at + 1), ...level.slice(0, at).reverse()];
  return others.find(({ isDeleted }) => !isDeleted) ?? others[0];
}

/** Removes a space that is being removed permanently from the sites of its organization. */
export async function removeFromSites(
  ctx: Context,
  { id: spaceId, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  const links = await ctx.db
    .selectFrom('site_space')
    .where('spaceId', '=', spaceId)
    .select(['id', 'siteId'])
    .orderBy('id')
    .execute();
  for (const { id, siteId } of links) {
    await withAccessLock(ctx, organizationId, async (inside) => {
      const site = await lockEntity(inside, Site, { id: siteId });
      const structure = await readStructureUncached(inside, siteId);
      const siteSpace = structure.siteSpace(id);
      if (!site || !siteSpace) return;
      await removeSiteSpace(inside, structure, siteSpace);
      await recordStructure(inside, site, { siteSpaceId: id });
    });
  }
}
