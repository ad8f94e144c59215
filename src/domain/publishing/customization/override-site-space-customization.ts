import { z } from 'zod';
import { badInput } from '../../../platform/errors/errors.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeItem, editSiteOf, ofSite, siteSpaceId, siteSpaceIn } from '../structure/index.ts';
import { changedOverride, DEFAULT_CUSTOMIZATION, membersNamed, mergeMembers } from './customization.ts';
import { customizationMembers, isOneForm, ONE_FORM, readGivenCustomization } from './given-customization.ts';
import { customizationsOf } from './read.ts';
import { rejectUnknownTargets } from './reject-unknown-targets.ts';
import { parseCustomization, rejectLarge } from './settings.ts';
import { recordCustomization, storeCustomization } from './write.ts';

const needed = permissions.overrideSiteSpaceCustomization.site;

/** Members that are the same on the whole site. */
const OF_THE_SITE = {
  appearance: ['pageActions', 'ai', 'socialAccounts', 'hasTrackingCookie', 'hasAdvancedCustomization'],
  customization: ['pageActions', 'pdf', 'git', 'ai', 'socialAccounts', 'insights', 'advancedCustomization'],
};

export const overrideSiteSpaceCustomization = command({
  name: 'overrideSiteSpaceCustomization',
  scope: 'publish',
  description:
    "Changes the appearance of a space on a site where it differs from the appearance of the site. Omitted fields are unchanged; null resets a field to the site's value.",
  input: z
    .object({
      siteSpaceId,
      ...ofSite,
      ...customizationMembers(
        'Values that differ from the site',
        "Omitted fields are unchanged; null resets a field to the site's value.",
      ),
    })
    .refine(isOneForm, ONE_FORM),
  versioned: 'siteSpaceId',
  authorize: authorizeItem('site space', 'siteSpaceId', needed),
  async run(ctx, { siteSpaceId: id, appearance, customization, ...name }) {
    const { site } = await siteSpaceIn(ctx, await editSiteOf(ctx, id, name, needed), id);
    const customizations = await customizationsOf(ctx, site.id);
    const { member, json } = readGivenCustomization({ appearance, customization });
    const common = OF_THE_SITE[member].find((name) => (appearance ?? json)[name as never] !== undefined);
    if (common) throw badInput([member, common], 'is the same for all spaces of a site. Change it on the site.');
    await rejectUnknownTargets(ctx, { [member]: appearance ?? json }, [
      customizations?.site,
      customizations?.overrides.get(id),
    ]);
    const before = customizations?.overrides.get(id);
    const changed = changedOverride(before ?? {}, json);
    // The whole must be a customization, so that each part has a valid value.
    const whole = parseCustomization(mergeMembers({ ...DEFAULT_CUSTOMIZATION }, changed), member);
    const override = membersNamed(whole, changed);
    rejectLarge(override, member);
    await storeCustomization(ctx, site, id, override);
    await recordCustomization(ctx, site, { siteSpaceId: id }, { before, after: override });
    return { siteId: site.id, siteSpaceId: id };
  },
});
