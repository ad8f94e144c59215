import { z } from 'zod';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { decideBeforeLocks, permissions } from '../../people/access/index.ts';
import { spaceFor } from '../spaces/index.ts';
import { moveRows } from './move-rows.ts';
import { authorizeOwnPlace, lockTransferTarget, rejectTransfer } from './reject-transfer.ts';

const needed = permissions.transferSpace.space;

export const transferSpace = command({
  name: 'transferSpace',
  scope: 'admin',
  description:
    'Transfers a space with its history, change requests and comments to the top level of another organization, where you can create content. FORBIDDEN unless you are an admin of the organization that it leaves, or of the collection that contains it. Granted roles are not transferred: you become its admin. PRECONDITION_FAILED if the space is linked to a site, if an import into it is running, if it is synchronized with Git, if it belongs to a translation, or if its merge rules name users who are not members of the other organization.',
  takesLong: true,
  input: z.object({
    spaceId: idOf('space'),
    organizationId: idOf('org').describe('ID of the organization that the space is transferred to.'),
  }),
  versioned: 'spaceId',
  async authorize(ctx, { spaceId: itemId = '' }) {
    const { organizationId } = await spaceFor(ctx, itemId, needed);
    await authorizeOwnPlace(ctx, itemId, organizationId);
  },
  async run(ctx, { spaceId, organizationId: to }) {
    const from = await decideBeforeLocks(ctx, async (deciding) => {
      const { organizationId } = await spaceFor(deciding, spaceId, needed, { changesAccess: true });
      await authorizeOwnPlace(deciding, spaceId, organizationId);
      await lockTransferTarget(deciding, { from: organizationId, to });
      return organizationId;
    });
    await spaceFor(ctx, spaceId, needed, { lock: 'for update' });
    const transfer = { spaceIds: [spaceId], collectionIds: [], from, to };
    await rejectTransfer(ctx, transfer);
    await moveRows(ctx, { itemId: spaceId, ...transfer });
    for (const organizationId of [from, to]) {
      await recordEvent(ctx, { kind: 'space_transferred', organizationId, spaceId });
    }
    const space = await ctx.db.selectFrom('space').where('id', '=', spaceId).selectAll().executeTakeFirstOrThrow();
    return { spaceId, space };
  },
});
