import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { readParentUncached, replaceByContent } from '../placement/index.ts';
import { collectionFor } from './access.ts';

const needed = permissions.deleteCollection.collection;

export const deleteCollection = command({
  name: 'deleteCollection',
  scope: 'admin',
  description:
    'Deletes a collection, the roles granted on it and the invite links to it. Its spaces and collections move to its position in the parent, in their order.',
  input: z.object({ collectionId: idOf('collection') }),
  versioned: 'collectionId',
  authorize: (ctx, ids) => orNull(collectionFor(ctx, ids.collectionId ?? '', needed)),
  async run(ctx, { collectionId }) {
    const collection = await orNull(
      collectionFor(ctx, collectionId, needed, { lock: 'for update', changesAccess: true }),
    );
    if (!collection) return { deletedId: null, organizationId: null, parentId: null };
    const { organizationId } = collection;
    const parentId = (await readParentUncached(ctx, collectionId)) ?? null;
    const contentIds = await replaceByContent(ctx, { itemId: collectionId, organizationId, parentId });
    await markMoved(ctx, contentIds);
    await ctx.db.deleteFrom('grant').where('targetId', '=', collectionId).execute();
    await ctx.db.deleteFrom('link_invite').where('collectionId', '=', collectionId).execute();
    await ctx.db.deleteFrom('collection').where('id', '=', collectionId).execute();
    await recordEvent(ctx, { kind: 'collection_deleted', organizationId, ids: { collectionId } });
    return { deletedId: collectionId, organizationId, parentId };
  },
});

/** The parent is a part of what clients know about an item, so its version changes. */
async function markMoved(ctx: Context, itemIds: readonly string[]): Promise<void> {
  for (const table of ['space', 'collection'] as const) {
    await ctx.db
      .updateTable(table)
      .set({ updatedAt: nowOf(ctx) })
      .where('id', '=', anyOf(itemIds))
      .execute();
  }
}
