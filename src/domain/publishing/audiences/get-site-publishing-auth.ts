import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { siteAuthOf } from './site-key.ts';

const needed = permissions.getSitePublishingAuth.site;

export const getSitePublishingAuth = query({
  name: 'getSitePublishingAuth',
  scope: 'publish',
  description: "Gets the authentication of a site's visitors, with the key that signs their tokens.",
  input: z.object(siteName),
  authorize: authorizeSite(needed),
  run: async (ctx, name) => siteAuthOf(ctx, (await siteFor(ctx, name, needed)).id),
});
