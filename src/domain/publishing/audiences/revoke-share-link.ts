import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { siteFor } from '../sites/index.ts';
import { type ShareLinkName, shareLinkFor, shareLinkNameOf } from './load.ts';
import { shareLinkName } from './settings.ts';

const needed = permissions.revokeShareLink.site;

export const revokeShareLink = command({
  name: 'revokeShareLink',
  scope: 'publish',
  description: 'Revokes a share link of a site permanently. Visitors whom it has admitted lose access at once.',
  input: z.object(shareLinkName),
  versioned: 'shareLinkId',
  authorize: (ctx, ids) => revocable(ctx, shareLinkNameOf(ids)),
  async run(ctx, name): Promise<{ deletedId: string | null; siteId: string | null }> {
    const link = await revocable(ctx, name);
    if (!link) return { deletedId: null, siteId: null };
    const { id, siteId, organizationId } = link;
    await ctx.db.deleteFrom('share_link').where('id', '=', id).execute();
    await recordEvent(ctx, { kind: 'share_link_revoked', organizationId, ids: { siteId, shareLinkId: id } });
    return { deletedId: id, siteId };
  },
});

/** The link, or null if there is none to be seen. The named site must be visible. */
async function revocable(ctx: Context, name: ShareLinkName) {
  const { siteId, organizationId } = name;
  const locks = ctx.inTransaction ? { lock: 'for no key update' as const, changesAccess: true } : {};
  if (siteId != null) await siteFor(ctx, { siteId, organizationId }, needed, locks);
  return orNull(shareLinkFor(ctx, name));
}
