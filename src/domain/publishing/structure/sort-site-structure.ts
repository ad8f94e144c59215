import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import type { SettingsChanges } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteName } from '../sites/index.ts';
import { editSite, itemIn, recordStructure, siteSpaceIn } from './editing.ts';
import { moveAmong, structurePosition } from './ranks.ts';

const needed = permissions.sortSiteStructure.site;

export const sortSiteStructure = command({
  name: 'sortSiteStructure',
  scope: 'publish',
  description:
    'Moves an item of the navigation of a site among the items of its level: a site space, a section, a group of sections or an external link. CONFLICT if it already has the position.',
  input: z.object({
    ...siteName,
    itemId: z
      .string()
      .max(200)
      .meta({ prefix: 'section', description: 'ID of the site space, section, group or external link to move.' }),
    position: structurePosition,
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { itemId, position, ...name }) {
    const editing = await editSite(ctx, name, needed);
    const { site, structure } = editing;
    const item = structure.item(itemId);
    let changes: SettingsChanges;
    if (item) {
      itemIn(ctx, editing, item.kind, itemId);
      changes = await moveAmong(ctx, 'site_item', structure.itemsIn(item.groupId), { id: itemId, position });
    } else {
      if (!structure.siteSpace(itemId))
        throw badInput(['itemId'], `"${itemId}" is not an item of this site.`, 'NOT_FOUND');
      const { siteSpace } = await siteSpaceIn(ctx, editing, itemId);
      changes = await moveAmong(ctx, 'site_space', structure.siteSpacesIn(siteSpace.sectionId), {
        id: itemId,
        position,
      });
    }
    await recordStructure(ctx, site, { itemId }, changes);
    return { siteId: site.id, itemId };
  },
});
