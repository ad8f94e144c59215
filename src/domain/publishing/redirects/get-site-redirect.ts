import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { ofSite } from '../structure/index.ts';
import { authorizeRedirect, redirectFor, siteRedirectId } from './access.ts';

const needed = permissions.getSiteRedirect.site;

export const getSiteRedirect = query({
  name: 'getSiteRedirect',
  description: 'Gets a redirect of a site.',
  input: z.object({ siteRedirectId, ...ofSite }),
  authorize: authorizeRedirect(needed),
  run: async (ctx, name) => (await redirectFor(ctx, name, needed)).redirect,
});
