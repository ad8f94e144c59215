import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { Site } from '../sites/index.ts';
import { authorizeHostname, hostname, siteOfHostname } from './access.ts';

const needed = permissions.removeCustomHostname.site;

export const removeCustomHostname = command({
  name: 'removeCustomHostname',
  scope: 'publish',
  description: 'Removes a custom hostname from its site. Any site can then claim it.',
  input: z.object({ hostname }),
  authorize: (ctx, ids) => orNull(authorizeHostname(needed)(ctx, ids)),
  async run(ctx, { hostname: name }) {
    const row = await orNull(siteOfHostname(ctx, name, needed, { lock: 'for no key update' }));
    if (!row) return { siteId: null, deletedId: null };
    const { id: siteId, organizationId } = row;
    ctx.em.assign(entityFromRow(ctx, Site, row), { hostname: null, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    await ctx.db.deleteFrom('custom_hostname').where('siteId', '=', siteId).execute();
    await recordEvent(ctx, { kind: 'site_updated', organizationId, ids: { siteId } });
    return { siteId, deletedId: name };
  },
});
