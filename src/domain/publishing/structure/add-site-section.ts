import { z } from 'zod';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, linkableSpaces, siteName, titleFrom } from '../sites/index.ts';
import { editSite, recordStructure } from './editing.ts';
import { insertSiteSpace } from './new-site-space.ts';
import { insertSection, withRootInSection } from './root-section.ts';
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
