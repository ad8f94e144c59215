import { sql } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { settingsBetween } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, itemIn, recordStructure } from './editing.ts';
import { lastRank, setRanks } from './ranks.ts';
import { siteArguments, siteSectionGroupId } from './settings.ts';

const needed = permissions.addSectionToGroup.site;

export const addSectionToGroup = command({
  name: 'addSectionToGroup',
  scope: 'publish',
  description:
    'Moves a section to the end of a group of sections, from the root or from another group. Has no effect if it is already in the group.',
  input: z.object({
    siteSectionGroupId,
    ...siteArguments,
    sectionId: idOf('section').describe('ID of a section of the same site.'),
  }),
  versioned: 'siteSectionGroupId',
  authorize: authorizeItem('section group', 'siteSectionGroupId', needed),
  async run(ctx, { siteSectionGroupId: id, sectionId, ...name }) {
    const { site, structure } = itemIn(ctx, await editSiteOf(ctx, id, name, needed), 'group', id);
    const ids = { siteId: site.id, siteSectionGroupId: id };
    const section = structure.item(sectionId);
    if (section?.kind !== 'section')
      throw badInput(['sectionId'], `"${sectionId}" is not a section of this site.`, 'NOT_FOUND');
    if (section.groupId === id) return ids;
    const moved = [{ id: sectionId, rank: lastRank(structure.itemsIn(id)) }];
    await setRanks(ctx, 'site_item', moved, sql`, group_id = ${id}, updated_at = ${nowOf(ctx)}`);
    const changes = settingsBetween({ groupId: section.groupId }, { groupId: id });
    await recordStructure(ctx, site, { siteSectionGroupId: id, siteSectionId: sectionId }, changes);
    return ids;
  },
});
