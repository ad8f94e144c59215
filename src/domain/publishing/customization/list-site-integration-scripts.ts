import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { scriptsOf } from './scripts.ts';

const needed = permissions.listSiteIntegrationScripts.site;

export const listSiteIntegrationScripts = query({
  name: 'listSiteIntegrationScripts',
  description: 'Lists the scripts that integrations add to the pages of a site.',
  openToAnonymous: true,
  input: z.object(siteName),
  authorize: authorizeSite(needed),
  async run(ctx, name) {
    await siteFor(ctx, name, needed);
    return scriptsOf();
  },
});
