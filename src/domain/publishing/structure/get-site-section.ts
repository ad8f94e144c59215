import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { loadSiteSection } from '../navigation/index.ts';
import { authorizeItem, visibleIn } from './editing.ts';
import { siteArguments, siteSectionId } from './settings.ts';

export const getSiteSection = query({
  name: 'getSiteSection',
  description: 'Gets a section of a site with its spaces.',
  openToAnonymous: true,
  input: z.object({ siteSectionId, ...siteArguments }),
  authorize: authorizeItem('site section', 'siteSectionId', permissions.getSiteSection.site),
  run: (ctx, { siteSectionId: id, ...name }) => visibleIn(ctx, 'site section', id, name, loadSiteSection),
});
