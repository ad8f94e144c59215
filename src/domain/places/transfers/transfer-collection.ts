import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { type NewEvent, recordEvents } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { decideBeforeLocks, permissions } from '../../people/access/index.ts';
import { collectionFor, subtreeOf } from '../collections/index.ts';
import { lastRestorable } from '../spaces/index.ts';
import { moveRows } from './move-rows.ts';
import { authorizeOwnPlace, lockTransferTarget, rejectTransfer } from './reject-transfer.ts';

const needed = permissions.transferCollection.collection;

export const transferCollection = command({
  name: 'transferCollection',
  scope: 'admin',
  description:
    'Transfers a collection with everything that it contains to the top level of another organization, where you can create content. FORBIDDEN unless you are an admin of the organization that it leaves, or of the collection that contains it. Deleted spaces that can be restored are included. Granted roles are not transferred: you become an admin. PRECONDITION_FAILED if you are not an admin of everything in the collection, or if one of its spaces cannot be transferred.',
  takesLong: true,
  input: z.object({
    collectionId: idOf('collection'),
    organizationId: idOf('org').describe('ID of the organization that the collection is transferred to.'),
  }),
  versioned: 'collectionId',
  async authorize(ctx, { collectionId: itemId = '' }) {
    const { organizationId } = await collectionFor(ctx, itemId, needed);
    await authorizeOwnPlace(ctx, itemId, organizationId);
  },
  async run(ctx, { collectionId, organizationId: to }) {
    const from = await decideBeforeLocks(ctx, async (deciding) => {
      const { organizationId } = await collectionFor(deciding, collectionId, needed, { changesAccess: true });
      await authorizeOwnPlace(deciding, collectionId, organizationId);
      await lockTransferTarget(deciding, { from: organizationId, to });
      return organizationId;
    });
    await collectionFor(ctx, collectionId, needed, { lock: 'for update' });
    const { removedIds, ...content } = await contentOf(ctx, collectionId);
    const transfer = { ...content, from, to };
    await rejectTransfer(ctx, transfer);
    await moveRows(ctx, { itemId: collectionId, ...transfer });
    await ctx.db.deleteFrom('placement').where('itemId', '=', anyOf(removedIds)).execute();
    const events = [from, to].flatMap((organizationId) => eventsOf(organizationId, collectionId, transfer.spaceIds));
    await recordEvents(ctx, events);
    const collection = await ctx.db
      .selectFrom('collection')
      .where('id', '=', collectionId)
      .selectAll()
      .executeTakeFirstOrThrow();
    return { collection };
  },
});

/**
 * The collections and spaces of the subtree. Locks the spaces against edits. `removedIds` are spaces that can no longer
 * be restored: they stay in their organization, where a job removes their rows, and lose their place in the collection.
 */
async function contentOf(ctx: Context, collectionId: string) {
  const collectionIds = (await subtreeOf(ctx, collectionId)).map(({ id }) => id);
  const spaces = await ctx.db
    .selectFrom('space as s')
    .innerJoin('placement as at', 'at.itemId', 's.id')
    .where('at.parentId', '=', anyOf(collectionIds))
    .orderBy('s.id')
    .forUpdate('s')
    .select(['s.id', 's.deletedAt'])
    .execute();
  const last = lastRestorable(ctx);
  const { kept = [], removed = [] } = Object.groupBy(spaces, ({ deletedAt }) =>
    deletedAt !== null && deletedAt <= last ? 'removed' : 'kept',
  );
  return { collectionIds, spaceIds: kept.map(({ id }) => id), removedIds: removed.map(({ id }) => id) };
}

const eventsOf = (organizationId: string, collectionId: string, spaceIds: readonly string[]): NewEvent[] => [
  { kind: 'collection_transferred', organizationId, ids: { collectionId } },
  ...spaceIds.map((spaceId) => ({
    kind: 'space_transferred' as const,
    organizationId,
    spaceId,
    ids: { collectionId },
  })),
];
