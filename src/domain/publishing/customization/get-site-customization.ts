import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { customizationOf } from './read.ts';
import { unmasked } from './settings.ts';

const needed = permissions.getSiteCustomization.site;

export const getSiteCustomization = query({
  name: 'getSiteCustomization',
  description: 'Gets the appearance of a site: colors, fonts, header, footer, and the help that readers are offered.',
  openToAnonymous: true,
  input: z.object({ ...siteName, unmasked }),
  authorize: authorizeSite(needed),
  async run(ctx, { unmasked: isWhole, ...name }) {
    return customizationOf(ctx, await siteFor(ctx, name, needed), { unmasked: isWhole ?? false });
  },
});
