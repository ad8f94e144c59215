import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { loadSiteSectionGroup } from '../navigation/index.ts';
import { authorizeItem, visibleIn } from './editing.ts';
import { siteArguments, siteSectionGroupId } from './settings.ts';

export const getSiteSectionGroup = query({
  name: 'getSiteSectionGroup',
  description: 'Gets a group of sections of a site.',
  openToAnonymous: true,
  input: z.object({ siteSectionGroupId, ...siteArguments }),
  authorize: authorizeItem('section group', 'siteSectionGroupId', permissions.getSiteSectionGroup.site),
  run: (ctx, { siteSectionGroupId: id, ...name }) => visibleIn(ctx, 'section group', id, name, loadSiteSectionGroup),
});
