import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { loadSiteSpace } from '../navigation/index.ts';
import { authorizeItem, visibleIn } from './editing.ts';
import { siteArguments, siteSpaceId } from './settings.ts';

export const getSiteSpace = query({
  name: 'getSiteSpace',
  description: 'Gets a space on a site.',
  openToAnonymous: true,
  input: z.object({ siteSpaceId, ...siteArguments }),
  authorize: authorizeItem('site space', 'siteSpaceId', permissions.getSiteSpace.site),
  run: (ctx, { siteSpaceId: id, ...name }) => visibleIn(ctx, 'site space', id, name, loadSiteSpace),
});
