import { z } from 'zod';
import { allUndefined } from '../../../lib/all-undefined.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, siteFor, siteName } from '../sites/index.ts';
import { authBackend } from './enums.ts';
import { fallbackUrl, logoutUrl } from './settings.ts';
import { siteAuthForChange } from './site-key.ts';

const needed = permissions.updateSitePublishingAuth.site;

export const updateSitePublishingAuth = command({
  name: 'updateSitePublishingAuth',
  scope: 'publish',
  description: "Updates the authentication of a site's visitors. Omitted fields keep their values.",
  input: z.object({
    ...siteName,
    backend: authBackend.optional().describe('Service that authenticates visitors.'),
    fallbackUrl,
    logoutUrl,
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { siteId, organizationId: owner, ...settings }) {
    const name = { siteId, organizationId: owner };
    const site = await siteFor(ctx, name, needed, { lock: 'for no key update', changesAccess: true });
    const auth = await siteAuthForChange(ctx, site);
    if (allUndefined(settings)) return { siteId };
    const changed = watchSettings(auth, ['backend', 'fallbackUrl', 'logoutUrl']);
    ctx.em.assign(auth, { ...settings, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const { organizationId } = site;
    await recordEvent(ctx, { kind: 'site_auth_updated', organizationId, ids: { siteId }, changes: changed() });
    return { siteId };
  },
});
