import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor } from './access.ts';
import { shareKey, siteName } from './settings.ts';

const needed = permissions.getSite.site;

export const getSite = query({
  name: 'getSite',
  description: 'Gets a site. Sites that anyone can read once they are published can be read without a token.',
  openToAnonymous: true,
  input: z.object({ ...siteName, shareKey }),
  authorize: authorizeSite(needed),
  run: (ctx, { shareKey: key, ...name }) => siteFor(ctx, name, needed, { shareKey: key }),
});
