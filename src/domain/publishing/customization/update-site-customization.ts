import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteForChange, siteName } from '../sites/index.ts';
import { completed } from './customization.ts';
import { customizationsOf } from './read.ts';
import { customizationObject, parseCustomization } from './settings.ts';
import { recordCustomization, storeCustomization } from './write.ts';

const needed = permissions.updateSiteCustomization.site;

export const updateSiteCustomization = command({
  name: 'updateSiteCustomization',
  description:
    'Replaces the appearance of a site. Missing members get their defaults, except the title, which stays. The title and the favicon also change on the site itself.',
  input: z.object({ ...siteName, customization: customizationObject('New appearance') }),
  versioned: 'siteId',
  authorize: authorizeSite(needed),
  async run(ctx, { customization, ...name }) {
    const site = await siteForChange(ctx, name, needed);
    const input = parseCustomization(customization);
    const present = await customizationsOf(ctx, site.id);
    await storeCustomization(ctx, site, site.id, completed(input, present?.site));
    const { title, favicon } = input;
    ctx.em.assign(site, { title, icon: 'icon' in favicon ? favicon.icon : favicon });
    await recordCustomization(ctx, site);
    return { siteId: site.id };
  },
});
