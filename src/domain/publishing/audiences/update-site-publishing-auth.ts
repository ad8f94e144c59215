import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, makeSiteKey, siteFor, siteName } from '../sites/index.ts';
import { authBackend } from './enums.ts';
import { fallbackUrl, logoutUrl } from './settings.ts';

const needed = permissions.updateSitePublishingAuth.site;

export const updateSitePublishingAuth = command({
  name: 'updateSitePublishingAuth',
  description: "Updates the authentication of a site's visitors. Omitted fields keep their values.",
  input: z.object({
    ...siteName,
    backend: authBackend.optional().describe('Service that authenticates visitors.'),
    fallbackUrl,
    logoutUrl,
  }),
  authorize: authorizeSite(needed),
  async run(ctx, { backend, fallbackUrl: signIn, logoutUrl: signOut, ...name }) {
    const holding = { lock: 'for no key update' as const, changesAccess: true };
    const { id: siteId, organizationId } = await siteFor(ctx, name, needed, holding);
    await makeSiteKey(ctx, { siteId, organizationId });
    const changes = {
      ...(backend !== undefined && { backend }),
      ...(signIn !== undefined && { fallbackUrl: signIn }),
      ...(signOut !== undefined && { logoutUrl: signOut }),
    };
    if (Object.keys(changes).length === 0) return { siteId };
    await ctx.db
      .updateTable('site_auth')
      .set({ ...changes, updatedAt: nowOf(ctx) })
      .where('siteId', '=', siteId)
      .execute();
    await recordEvent(ctx, { kind: 'site_auth_updated', organizationId, ids: { siteId } });
    return { siteId };
  },
});
