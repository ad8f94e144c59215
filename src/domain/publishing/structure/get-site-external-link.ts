import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { loadSiteExternalLink } from '../navigation/index.ts';
import { authorizeItem, visibleIn } from './editing.ts';
import { siteArguments, siteExternalLinkId } from './settings.ts';

export const getSiteExternalLink = query({
  name: 'getSiteExternalLink',
  description: 'Gets an external link in the navigation of a site.',
  openToAnonymous: true,
  input: z.object({ siteExternalLinkId, ...siteArguments }),
  authorize: authorizeItem('external link', 'siteExternalLinkId', permissions.getSiteExternalLink.site),
  run: (ctx, { siteExternalLinkId: id, ...name }) => visibleIn(ctx, 'external link', id, name, loadSiteExternalLink),
});
