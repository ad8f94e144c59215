import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, shareKey, siteFor, siteName } from '../sites/index.ts';

const needed = permissions.getSiteStructure.site;

export const getSiteStructure = query({
  name: 'getSiteStructure',
  description:
    'Gets the navigation of a site: its sections, groups and external links or, if its spaces are at the root, these.',
  openToAnonymous: true,
  input: z.object({ ...siteName, shareKey }),
  authorize: authorizeSite(needed),
  run: (ctx, { shareKey: key, ...name }) => siteFor(ctx, name, needed, { shareKey: key }),
});
