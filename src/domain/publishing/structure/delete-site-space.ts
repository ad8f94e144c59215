import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { makeDefaultSiteSpace } from '../sites/index.ts';
import { authorizeItem, editSiteOf, orAbsent, recordStructure, siteSpaceIn } from './editing.ts';
import { ofSite, siteSpaceId } from './settings.ts';

const needed = permissions.deleteSiteSpace.site;

export const deleteSiteSpace = command({
  name: 'deleteSiteSpace',
  scope: 'publish',
  description:
    'Removes a space from a site. The space itself is kept. If it is the default of its level, the next one becomes the default. BAD_USER_INPUT if it is the last one of a section.',
  input: z.object({ siteSpaceId, ...ofSite }),
  versioned: 'siteSpaceId',
  authorize: authorizeItem('site space', 'siteSpaceId', needed, { isDeletion: true }),
  async run(ctx, { siteSpaceId: id, ...name }) {
    const editing = await editSiteOf(ctx, id, name, needed, { changesAccess: true });
    const target = await orAbsent(() => siteSpaceIn(ctx, editing, id));
    if (!target) return { deletedId: null, siteId: null };
    const { site, structure, siteSpace } = target;
    const { sectionId } = siteSpace;
    const level = structure.siteSpacesIn(sectionId);
    if (sectionId !== null && level.length === 1) {
      throw badInput(['siteSpaceId'], 'A section needs at least one space. Delete the section instead.');
    }
    await ctx.db.deleteFrom('site_space').where('id', '=', id).execute();
    await ctx.db.deleteFrom('site_customization').where('targetId', '=', id).execute();
    const at = level.indexOf(siteSpace);
    const next = level[at + 1] ?? level[at - 1];
    if (siteSpace.isDefault && next) {
      await makeDefaultSiteSpace(ctx, { siteId: site.id, sectionId, siteSpaceId: next.id });
    }
    await recordStructure(ctx, site, { siteSpaceId: id });
    return { deletedId: id, siteId: site.id };
  },
});
