import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { siteFor } from '../sites/index.ts';
import { authorizeItem, loadSiteSpace, ofSite, siteSpaceId, visibleIn } from '../structure/index.ts';
import { customizationOfSiteSpace } from './read.ts';
import { unmasked } from './settings.ts';

const needed = permissions.getSiteSpaceCustomization.site;

export const getSiteSpaceCustomization = query({
  name: 'getSiteSpaceCustomization',
  description: 'Gets the appearance of a space on a site: that of the site, with the differences for the space.',
  openToAnonymous: true,
  input: z.object({ siteSpaceId, ...ofSite, unmasked }),
  authorize: authorizeItem('site space', 'siteSpaceId', needed),
  async run(ctx, { siteSpaceId: id, unmasked: isWhole, ...name }) {
    const { siteId } = await visibleIn(ctx, 'site space', id, name, loadSiteSpace);
    const site = await siteFor(ctx, { siteId }, needed);
    return customizationOfSiteSpace(ctx, site, id, { unmasked: isWhole ?? false });
  },
});
