import { z } from 'zod';
import { slugify, uniqueSlug } from '../../../lib/slug.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { readStructureUncached, type SiteNavigation } from '../navigation/index.ts';
import { authorizeSite, linkableSpaces, type Site, siteName, titleFrom } from '../sites/index.ts';
import { editSite, recordStructure } from './editing.ts';
import { insertSiteItem } from './new-site-item.ts';
import { insertSiteSpace } from './new-site-space.ts';
import { pathsBesideSections } from './paths.ts';
import { itemIcon, rejectTooManyItems, rejectTooManySpaces, sectionTitle } from './settings.ts';

const needed = permissions.addSiteSection.site;

export const addSiteSection = command({
  name: 'addSiteSection',
  scope: 'publish',
  description:
    'Adds a section with one space to a site. Requires `create` on the space. Adding the first section moves the spaces at the root of the site into a default section with the title of the site.',
  input: z.object({
    ...siteName,
    spaceId: idOf('space').describe('ID of a space of the organization that owns the site.'),
    title: sectionTitle
      .nullish()
      .describe('Title of the section, 2 to 128 characters. By default, the title of the space.'),
    icon: itemIcon.nullish(),
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { spaceId, title, icon, ...name }) {
    const { site, structure: before } = await editSite(ctx, name, needed, { changesAccess: true });
    rejectTooManySpaces(before);
    rejectTooManyItems(before);
    const { id: siteId, organizationId } = site;
    const [space] = await linkableSpaces(ctx, { organizationId, spaceIds: [spaceId] }, () => ['spaceId']);
    if (!space) throw new Error('Expected one linked space, got none.');
    const structure = await withRootInSection(ctx, site, before);
    const shownTitle = title ?? titleFrom(space.title);
    const siteSectionId = await insertSection(ctx, site, structure, { title: shownTitle, icon: icon ?? null });
    await insertSiteSpace(ctx, structure, { siteId, sectionId: siteSectionId, space });
    await recordStructure(ctx, site, { siteSectionId }, settingsSet({ title: shownTitle, icon, spaceId }));
    return { siteId, siteSectionId };
  },
});

/** Moves the spaces at the root into a new section. Returns the structure afterwards. */
async function withRootInSection(
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

function insertSection(
  ctx: Context,
  { id: siteId, organizationId }: EntityRow<typeof Site>,
  structure: SiteNavigation,
  { title, icon }: { title: string; icon: string | null },
): Promise<string> {
  const path = uniqueSlug(slugify(title), pathsBesideSections(structure));
  const isDefault = structure.sections.length === 0;
  return insertSiteItem(ctx, structure, { kind: 'section', organizationId, siteId, title, icon, path, isDefault });
}
