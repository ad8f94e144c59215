import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeSite, makeSiteKey, newSiteKey, siteFor, siteName } from '../sites/index.ts';

const needed = permissions.regenerateSitePublishingKey.site;

export const regenerateSitePublishingKey = command({
  name: 'regenerateSitePublishingKey',
  description:
    'Replaces the key that signs the tokens of visitors of a site. Tokens that were signed with the earlier key become invalid, and visitors whom they admitted lose access at once.',
  input: z.object(siteName),
  authorize: authorizeSite(needed),
  async run(ctx, name) {
    const holding = { lock: 'for no key update' as const, changesAccess: true };
    const { id: siteId, organizationId } = await siteFor(ctx, name, needed, holding);
    await makeSiteKey(ctx, { siteId, organizationId });
    await ctx.db
      .updateTable('site_auth')
      .set({ ...newSiteKey(ctx, siteId), updatedAt: nowOf(ctx) })
      .where('siteId', '=', siteId)
      .execute();
    await recordEvent(ctx, { kind: 'site_key_regenerated', organizationId, ids: { siteId } });
    return { siteId };
  },
});
