import { z } from 'zod';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteName } from '../sites/index.ts';
import { editSite, recordStructure } from './editing.ts';
import { groupNamed, insertSiteItem } from './new-site-item.ts';
import { withRootInSection } from './root-section.ts';
import {
  externalLinkTitle,
  itemCondition,
  itemDescription,
  itemIcon,
  rejectTooManyItems,
  storedCondition,
} from './settings.ts';

const needed = permissions.addSiteExternalLink.site;

export const addSiteExternalLink = command({
  name: 'addSiteExternalLink',
  scope: 'publish',
  description:
    'Adds a link to another website to the navigation of a site. Spaces at the root of the site move into a default section with the title of the site.',
  input: z.object({
    ...siteName,
    title: externalLinkTitle,
    description: itemDescription.nullish(),
    icon: itemIcon.nullish(),
    url: webAddress().describe('URL of the link, up to 2,048 characters.'),
    parentId: idOf('sectiongroup')
      .nullish()
      .describe('ID of the section group that contains it. By default, the root.'),
    condition: itemCondition.nullish(),
  }),
  authorize: authorizeSite(needed),
  async run(ctx, input) {
    const { parentId, title, url } = input;
    const { site, structure: before } = await editSite(ctx, input, needed, { changesAccess: true });
    rejectTooManyItems(before);
    const { id: siteId, organizationId } = site;
    const settings = {
      title,
      url,
      description: input.description ?? null,
      icon: input.icon ?? null,
      condition: storedCondition(input.condition) ?? null,
      groupId: groupNamed(before, parentId, 'parentId')?.id ?? null,
    };
    const structure = await withRootInSection(ctx, site, before);
    const siteExternalLinkId = await insertSiteItem(ctx, structure, {
      kind: 'link',
      organizationId,
      siteId,
      ...settings,
    });
    await recordStructure(ctx, site, { siteExternalLinkId }, settingsSet(settings));
    return { siteId, siteExternalLinkId };
  },
});
