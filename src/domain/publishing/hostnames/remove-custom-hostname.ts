import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { orNull } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { authorizeHostname, hostname, siteOfHostname } from './access.ts';

const needed = permissions.removeCustomHostname.site;

export const removeCustomHostname = command({
  name: 'removeCustomHostname',
  description: 'Removes a custom hostname from its site. Any site can then claim it.',
  input: z.object({ hostname }),
  authorize: (ctx, ids) => orNull(authorizeHostname(needed)(ctx, ids)),
  async run(ctx, { hostname: name }) {
    const site = await orNull(siteOfHostname(ctx, name, needed, { lock: 'for no key update' }));
    if (!site) return { siteId: null, deletedId: null };
    const { id: siteId, organizationId } = site;
    await ctx.db
      .updateTable('site')
      .set({ hostname: null, updatedAt: nowOf(ctx) })
      .where('id', '=', siteId)
      .execute();
    await ctx.db.deleteFrom('custom_hostname').where('siteId', '=', siteId).execute();
    await recordEvent(ctx, { kind: 'site_updated', organizationId, ids: { siteId } });
    return { siteId, deletedId: name };
  },
});
