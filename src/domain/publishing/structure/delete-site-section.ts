import { z } from 'zod';
import { anyOf } from '../../../platform/database/conditions.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { makeDefaultSection } from '../sites/index.ts';
import { authorizeItem, editSiteOf, itemIn, orAbsent, recordStructure } from './editing.ts';
import { siteArguments, siteSectionId } from './settings.ts';

const needed = permissions.deleteSiteSection.site;

export const deleteSiteSection = command({
  name: 'deleteSiteSection',
  scope: 'publish',
  description:
    'Deletes a section of a site, and removes its spaces from the site. The spaces themselves are kept. If it is the default, the next section becomes the default: CONFLICT if one of its spaces has the path of another section.',
  input: z.object({ siteSectionId, ...siteArguments }),
  versioned: 'siteSectionId',
  authorize: authorizeItem('site section', 'siteSectionId', needed, { isDeletion: true }),
  async run(ctx, { siteSectionId: id, ...name }) {
    const editing = await editSiteOf(ctx, id, name, needed, { changesAccess: true });
    const target = await orAbsent(async () => itemIn(ctx, editing, 'section', id));
    if (!target) return { deletedId: null, siteId: null };
    const { site, structure, item } = target;
    await ctx.db.deleteFrom('site_space').where('siteId', '=', site.id).where('sectionId', '=', id).execute();
    await ctx.db.deleteFrom('site_item').where('id', '=', id).execute();
    const siteSpaceIds = structure.siteSpacesIn(id).map((row) => row.id);
    await ctx.db.deleteFrom('site_customization').where('targetId', '=', anyOf(siteSpaceIds)).execute();
    const { sections } = structure;
    const at = sections.indexOf(item);
    const next = sections[at + 1] ?? sections[at - 1];
    if (item.isDefault && next) await makeDefaultSection(ctx, site.id, next.id);
    await recordStructure(ctx, site, { siteSectionId: id });
    return { deletedId: id, siteId: site.id };
  },
});
