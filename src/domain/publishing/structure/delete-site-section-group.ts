import { sql } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, itemIn, orAbsent, recordStructure } from './editing.ts';
import { ranksAfter, setRanks } from './ranks.ts';
import { siteArguments, siteSectionGroupId } from './settings.ts';

const needed = permissions.deleteSiteSectionGroup.site;

export const deleteSiteSectionGroup = command({
  name: 'deleteSiteSectionGroup',
  scope: 'publish',
  description: 'Deletes a group of sections. Its sections, groups and links take its place.',
  input: z.object({ siteSectionGroupId, ...siteArguments }),
  versioned: 'siteSectionGroupId',
  authorize: authorizeItem('section group', 'siteSectionGroupId', needed, { isDeletion: true }),
  async run(ctx, { siteSectionGroupId: id, ...name }) {
    const editing = await editSiteOf(ctx, id, name, needed, { changesAccess: true });
    const target = await orAbsent(async () => itemIn(ctx, editing, 'group', id));
    if (!target) return { deletedId: null, siteId: null };
    const { site, structure, item } = target;
    const children = structure.itemsIn(id);
    const ranks = ranksAfter(structure.itemsIn(item.groupId), id, children.length);
    await setRanks(
      ctx,
      'site_item',
      children.map((child, index) => ({ id: child.id, rank: ranks[index] ?? child.rank })),
      sql`, group_id = ${item.groupId}, updated_at = ${nowOf(ctx)}`,
    );
    await ctx.db.deleteFrom('site_item').where('id', '=', id).execute();
    await recordStructure(ctx, site, { siteSectionGroupId: id });
    return { deletedId: id, siteId: site.id };
  },
});
