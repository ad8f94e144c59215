import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import type { SiteNavigation } from '../navigation/index.ts';
import { authorizeSite, linkableSpaces, siteName } from '../sites/index.ts';
import { editSite, recordStructure } from './editing.ts';
import { insertSiteSpace } from './new-site-space.ts';
import { addRootSection } from './root-section.ts';
import { rejectTooManySpaces } from './settings.ts';

const needed = permissions.addSiteSpace.site;

export const addSiteSpace = command({
  name: 'addSiteSpace',
  scope: 'publish',
  description:
    'Adds a space at the end of a section or, if the site has neither sections nor groups nor external links, of the site. Beside groups and external links alone, it gets a default section with the title of the site. Requires `create` on the space. A space can be added more than once.',
  input: z.object({
    ...siteName,
    spaceId: idOf('space').describe('ID of a space of the organization that owns the site.'),
    sectionId: idOf('section')
      .nullish()
      .describe('ID of the section. By default, the default section, or the root of a site with spaces only.'),
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { spaceId, sectionId, ...name }) {
    const { site, structure: before } = await editSite(ctx, name, needed, { changesAccess: true });
    rejectTooManySpaces(before);
    const [space] = await linkableSpaces(ctx, { organizationId: site.organizationId, spaceIds: [spaceId] }, () => [
      'spaceId',
    ]);
    if (!space) throw new Error('Expected one linked space, got none.');
    const structure = await addRootSection(ctx, site, before);
    const section = sectionOf(structure, sectionId);
    const siteSpaceId = await insertSiteSpace(ctx, structure, { siteId: site.id, sectionId: section, space });
    await recordStructure(ctx, site, { siteSpaceId }, settingsSet({ spaceId, siteSectionId: section }));
    return { siteId: site.id, siteSpaceId };
  },
});

function sectionOf(structure: SiteNavigation, sectionId: string | null | undefined): string | null {
  if (sectionId == null) return structure.sections.find(({ isDefault }) => isDefault)?.id ?? null;
  if (structure.item(sectionId)?.kind === 'section') return sectionId;
  throw badInput(['sectionId'], `"${sectionId}" is not a section of this site.`, 'NOT_FOUND');
}
