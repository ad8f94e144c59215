import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { completed, type customizationInput } from './customization.ts';
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
    const site = await siteFor(ctx, name, needed, { lock: 'for no key update' });
    const given = parseCustomization(customization);
    const present = await customizationsOf(ctx, site.id);
    await storeCustomization(ctx, site, site.id, completed(given, present?.site));
    await setLook(ctx, site.id, given);
    await recordCustomization(ctx, site);
    return { siteId: site.id };
  },
});

/** Title and icon are columns of the site. */
async function setLook(
  { db }: Context,
  siteId: string,
  { title, favicon }: Pick<z.output<typeof customizationInput>, 'title' | 'favicon'>,
): Promise<void> {
  const icon = 'icon' in favicon ? favicon.icon : favicon;
  await db
    .updateTable('site')
    .set({ title, icon: JSON.stringify(icon) as never })
    .where('id', '=', siteId)
    .execute();
}
