import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { decideBeforeLocks, permissions } from '../../people/access/index.ts';
import { moveItem, parentOfMove, readParentUncached, rejectNoMove, siblingPosition } from '../placement/index.ts';
import { authorizeLeaving, authorizeMove, collectionFor, collectionForChange } from './access.ts';
import { rejectTooDeep, subtreeOf } from './nesting.ts';

const needed = permissions.moveCollection;

export const moveCollection = command({
  name: 'moveCollection',
  scope: 'write',
  // Access is inherited from the parent.
  scopeOf: ({ parentId }) => (parentId === undefined ? undefined : 'admin'),
  description:
    'Moves a collection with its content to another parent in the organization, to another position among its siblings, or both. FORBIDDEN unless you are an admin of the collection that it leaves and of the one that it enters, or can create content at the top level. Roles that are inherited there replace those that were inherited before. CONFLICT if it is already there.',
  input: z.object({
    collectionId: idOf('collection'),
    parentId: parentOfMove,
    position: siblingPosition.nullish(),
  }),
  versioned: 'collectionId',
  authorize: (ctx, ids) => collectionFor(ctx, ids.collectionId ?? '', needed.collection),
  async run(ctx, { collectionId, position, parentId: newParentId }) {
    const { now, ...place } = await decideBeforeLocks(ctx, async (deciding) => {
      const { organizationId } = await collectionFor(deciding, collectionId, needed.collection, {
        changesAccess: true,
      });
      rejectNoMove({ position, parentId: newParentId });
      const from = (await readParentUncached(deciding, collectionId)) ?? null;
      const to = { organizationId, parentId: newParentId === undefined ? from : newParentId };
      await authorizeMove(deciding, to, needed, { isOtherParent: newParentId !== undefined, treeChanges: true });
      if (to.parentId !== from) await authorizeLeaving(deciding, { organizationId, parentId: from }, needed);
      return { ...to, now: from };
    });
    const { organizationId } = place;
    const collection = await collectionForChange(ctx, collectionId, needed.collection);
    if (place.parentId !== null && place.parentId !== now) await rejectMisplaced(ctx, collectionId, place.parentId);
    await moveItem(ctx, { itemId: collectionId, ...place, position });
    collection.updatedAt = nowOf(ctx);
    await ctx.em.flush();
    await recordEvent(ctx, {
      kind: 'collection_moved',
      organizationId,
      ids: { collectionId, ...(place.parentId !== null && { parentId: place.parentId }) },
    });
    return { collection };
  },
});

async function rejectMisplaced(ctx: Context, collectionId: string, parentId: string): Promise<void> {
  const subtree = await subtreeOf(ctx, collectionId);
  if (subtree.some(({ id }) => id === parentId)) {
    throw badInput(['parentId'], 'A collection cannot be moved into itself or into a collection that it contains.');
  }
  await rejectTooDeep(ctx, parentId, subtree.at(-1)?.level);
}
