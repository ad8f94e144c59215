import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, itemIn, recordStructure } from './editing.ts';
import { moveAmong, structurePosition } from './ranks.ts';
import { siteArguments, siteSectionGroupId } from './settings.ts';

const needed = permissions.moveSiteSectionGroup.site;

export const moveSiteSectionGroup = command({
  name: 'moveSiteSectionGroup',
  scope: 'publish',
  description: 'Moves a group of sections among the items of its level. CONFLICT if it already has the position.',
  input: z.object({ siteSectionGroupId, ...siteArguments, position: structurePosition }),
  versioned: 'siteSectionGroupId',
  authorize: authorizeItem('section group', 'siteSectionGroupId', needed),
  async run(ctx, { siteSectionGroupId: id, position, ...name }) {
    const { site, structure, item } = itemIn(ctx, await editSiteOf(ctx, id, name, needed), 'group', id);
    const changes = await moveAmong(ctx, 'site_item', structure.itemsIn(item.groupId), { id, position });
    await recordStructure(ctx, site, { siteSectionGroupId: id }, changes);
    return { siteId: site.id, siteSectionGroupId: id };
  },
});
