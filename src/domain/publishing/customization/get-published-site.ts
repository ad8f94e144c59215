import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, shareKey, siteFor, siteName } from '../sites/index.ts';

const needed = permissions.getPublishedSite.site;

export const getPublishedSite = query({
  name: 'getPublishedSite',
  description: 'Gets the data that a renderer needs to show a site: its settings, structure and appearance.',
  openToAnonymous: true,
  input: z.object({ ...siteName, shareKey }),
  authorize: authorizeSite(needed),
  run: (ctx, { shareKey: key, ...name }) => siteFor(ctx, name, needed, { shareKey: key }),
});
