import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { lockCredential, permissions } from '../../people/access/index.ts';
import { authorizeSite, newSiteKey, siteFor, siteName } from '../sites/index.ts';
import { siteAuthForChange } from './site-key.ts';

const needed = permissions.regenerateSitePublishingKey.site;

export const regenerateSitePublishingKey = command({
  name: 'regenerateSitePublishingKey',
  scope: 'publish',
  description:
    'Replaces the key that signs the tokens of visitors of a site. Tokens that were signed with the earlier key become invalid, and visitors whom they admitted lose access at once.',
  input: z.object(siteName),
  authorize: authorizeSite(needed),
  async run(ctx, name) {
    const site = await siteFor(ctx, name, needed, { lock: 'for no key update', changesAccess: true });
    await lockCredential(ctx);
    const { id: siteId, organizationId } = site;
    ctx.em.assign(await siteAuthForChange(ctx, site), { ...newSiteKey(ctx, siteId), updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    await recordEvent(ctx, { kind: 'site_key_regenerated', organizationId, ids: { siteId } });
    return { siteId };
  },
});
