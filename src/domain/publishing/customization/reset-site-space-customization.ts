import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, ofSite, siteSpaceId, siteSpaceIn } from '../structure/index.ts';
import { recordCustomization } from './write.ts';

const needed = permissions.resetSiteSpaceCustomization.site;

export const resetSiteSpaceCustomization = command({
  name: 'resetSiteSpaceCustomization',
  scope: 'publish',
  description: 'Resets the appearance of a space on a site to that of the site. Has no effect if nothing differs.',
  input: z.object({ siteSpaceId, ...ofSite }),
  authorize: authorizeItem('site space', 'siteSpaceId', needed),
  async run(ctx, { siteSpaceId: id, ...name }) {
    const { site } = await siteSpaceIn(ctx, await editSiteOf(ctx, id, name, needed), id);
    const reset = await ctx.db
      .deleteFrom('site_customization')
      .where('targetId', '=', id)
      .returning('settings')
      .executeTakeFirst();
    if (reset) await recordCustomization(ctx, site, { siteSpaceId: id }, { before: reset.settings, after: {} });
    return { siteId: site.id, siteSpaceId: id };
  },
});
