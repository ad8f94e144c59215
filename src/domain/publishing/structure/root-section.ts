import { slugify, uniqueSlug } from '../../../lib/slug.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { readStructureUncached, type SiteNavigation } from '../navigation/index.ts';
import type { Site } from '../sites/index.ts';
import { insertSiteItem } from './new-site-item.ts';
import { pathsBesideSections } from './paths.ts';

/**
 * Moves the spaces at the root of a locked site into a new default section, because beside sections, groups and links,
 * spaces at the root are not part of the navigation. Published URLs stay, since they omit the path of the default
 * section. Returns the structure afterwards.
 */
export async function withRootInSection(
  ctx: Context,
  site: EntityRow<typeof Site>,
  structure: SiteNavigation,
): Promise<SiteNavigation> {
  if (structure.siteSpacesIn(null).length === 0) return structure;
  const sectionId = await insertSection(ctx, site, structure, { title: site.title, icon: null });
  await ctx.db
    .updateTable('site_space')
    .set({ sectionId, updatedAt: nowOf(ctx) })
    .where('siteId', '=', site.id)
    .where('sectionId', 'is', null)
    .execute();
  return readStructureUncached(ctx, site.id);
}

/**
 * Adds a default section to a locked site that has only groups and links, because beside these, spaces at the root are
 * not part of the navigation. Returns the structure afterwards.
 */
export async function addRootSection(
  ctx: Context,
  site: EntityRow<typeof Site>,
  structure: SiteNavigation,
): Promise<SiteNavigation> {
  if (structure.items.length === 0 || structure.sections.length > 0) return structure;
  if (structure.siteSpacesIn(null).length > 0) return withRootInSection(ctx, site, structure);
  await insertSection(ctx, site, structure, { title: site.title, icon: null });
  return readStructureUncached(ctx, site.id);
}

/** Adds a section at the end of the root of a locked site. The first one is the default. Returns its id. */
export function insertSection(
  ctx: Context,
  { id: siteId, organizationId }: EntityRow<typeof Site>,
  structure: SiteNavigation,
  { title, icon }: { title: string; icon: string | null },
): Promise<string> {
  const path = uniqueSlug(slugify(title), pathsBesideSections(structure));
  const isDefault = structure.sections.length === 0;
  return insertSiteItem(ctx, structure, { kind: 'section', organizationId, siteId, title, icon, path, isDefault });
}
