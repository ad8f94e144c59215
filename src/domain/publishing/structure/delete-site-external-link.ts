import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, itemIn, orAbsent, recordStructure } from './editing.ts';
import { siteArguments, siteExternalLinkId } from './settings.ts';

const needed = permissions.deleteSiteExternalLink.site;

export const deleteSiteExternalLink = command({
  name: 'deleteSiteExternalLink',
  scope: 'publish',
  description: 'Deletes an external link of a site.',
  input: z.object({ siteExternalLinkId, ...siteArguments }),
  versioned: 'siteExternalLinkId',
  authorize: authorizeItem('external link', 'siteExternalLinkId', needed, { isDeletion: true }),
  async run(ctx, { siteExternalLinkId: id, ...name }) {
    const editing = await editSiteOf(ctx, id, name, needed, { changesAccess: true });
    const target = await orAbsent(async () => itemIn(ctx, editing, 'link', id));
    if (!target) return { deletedId: null, siteId: null };
    await ctx.db.deleteFrom('site_item').where('id', '=', id).execute();
    await recordStructure(ctx, target.site, { siteExternalLinkId: id });
    return { deletedId: id, siteId: target.site.id };
  },
});
