import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeHostname, hostname, siteOfHostname } from './access.ts';

const needed = permissions.getCustomHostname.site;

export const getCustomHostname = query({
  name: 'getCustomHostname',
  description: 'Gets a custom hostname of a site, and the result of the last check of its DNS record.',
  input: z.object({ hostname }),
  authorize: authorizeHostname(needed),
  run: (ctx, { hostname: name }) => siteOfHostname(ctx, name, needed),
});
