import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteForChange, siteName } from '../sites/index.ts';
import { completeCustomization } from './customization.ts';
import { withoutNulls } from './from-appearance.ts';
import { customizationMembers, isOneForm, ONE_FORM, readGivenCustomization } from './given-customization.ts';
import { customizationsOf } from './read.ts';
import { rejectUnknownTargets } from './reject-unknown-targets.ts';
import { parseCustomization } from './settings.ts';
import { recordCustomization, storeCustomization } from './write.ts';

const needed = permissions.updateSiteCustomization.site;

export const updateSiteCustomization = command({
  name: 'updateSiteCustomization',
  scope: 'publish',
  description:
    'Replaces the appearance of a site. Omitted fields get their defaults, except the title, which is kept. The title and the favicon also change on the site itself.',
  input: z
    .object({
      ...siteName,
      ...customizationMembers(
        'New appearance',
        'Omitted fields and null get their defaults, except the title, which is kept.',
      ),
    })
    .refine(isOneForm, ONE_FORM),
  versioned: 'siteId',
  authorize: authorizeSite(needed),
  async run(ctx, { appearance, customization, ...name }) {
    const site = await siteForChange(ctx, name, needed);
    const { member, json } = readGivenCustomization({ appearance, customization });
    const input = parseCustomization(member === 'appearance' ? withoutNulls(json) : json, member);
    const present = await customizationsOf(ctx, site.id);
    await rejectUnknownTargets(ctx, appearance ? { appearance } : { customization: input }, present?.site);
    // An appearance defines the list of page actions by itself. Clients with JSON may have changed one of its two
    // forms.
    const after = completeCustomization(input, appearance ? undefined : present?.site);
    await storeCustomization(ctx, site, site.id, after);
    const { title, favicon } = input;
    ctx.em.assign(site, { title, icon: 'icon' in favicon ? favicon.icon : favicon });
    await recordCustomization(ctx, site, {}, { before: present?.site, after });
    return { siteId: site.id };
  },
});
