import { sql } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { settingsBetween } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, itemIn, orAbsent, recordStructure } from './editing.ts';
import { ranksAfter, setRanks } from './ranks.ts';
import { siteArguments, siteSectionGroupId, siteSectionId } from './settings.ts';

const needed = permissions.removeSectionFromGroup.site;

export const removeSectionFromGroup = command({
  name: 'removeSectionFromGroup',
  scope: 'publish',
  description:
    'Moves a section out of a group of sections, to the position after the group. Has no effect if it is not in the group.',
  input: z.object({ siteSectionGroupId, siteSectionId, ...siteArguments }),
  authorize: authorizeItem('section group', 'siteSectionGroupId', needed, { isDeletion: true }),
  async run(ctx, { siteSectionGroupId: id, siteSectionId: sectionId, ...name }) {
    const editing = await editSiteOf(ctx, id, name, needed);
    const target = await orAbsent(async () => itemIn(ctx, editing, 'group', id));
    const none = { deletedId: null, siteId: target?.site.id ?? null, siteSectionGroupId: id };
    if (target?.structure.item(sectionId)?.groupId !== id) return none;
    const { site, structure, item } = target;
    const [rank = ''] = ranksAfter(structure.itemsIn(item.groupId), id, 1);
    const outside = sql`, group_id = ${item.groupId}, updated_at = ${nowOf(ctx)}`;
    await setRanks(ctx, 'site_item', [{ id: sectionId, rank }], outside);
    const changes = settingsBetween({ groupId: id }, { groupId: item.groupId });
    await recordStructure(ctx, site, { siteSectionGroupId: id, siteSectionId: sectionId }, changes);
    return { ...none, deletedId: sectionId };
  },
});
