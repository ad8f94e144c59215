import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, itemIn, recordStructure } from './editing.ts';
import { moveAmong, structurePosition } from './ranks.ts';
import { siteArguments, siteSectionId } from './settings.ts';

const needed = permissions.moveSiteSection.site;

export const moveSiteSection = command({
  name: 'moveSiteSection',
  scope: 'publish',
  description: 'Moves a section among the items of its level. CONFLICT if it already has the position.',
  input: z.object({ siteSectionId, ...siteArguments, position: structurePosition }),
  versioned: 'siteSectionId',
  authorize: authorizeItem('site section', 'siteSectionId', needed),
  async run(ctx, { siteSectionId: id, position, ...name }) {
    const { site, structure, item } = itemIn(ctx, await editSiteOf(ctx, id, name, needed), 'section', id);
    const changes = await moveAmong(ctx, 'site_item', structure.itemsIn(item.groupId), { id, position });
    await recordStructure(ctx, site, { siteSectionId: id }, changes);
    return { siteId: site.id, siteSectionId: id };
  },
});
