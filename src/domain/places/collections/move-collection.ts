import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { moveItem, parentOfMove, readParentUncached, rejectNoMove, siblingPosition } from '../placement/index.ts';
import { authorizeLeaving, authorizeMove, collectionFor } from './access.ts';
import { rejectTooDeep, subtreeOf } from './nesting.ts';

const needed = permissions.moveCollection;

export const moveCollection = command({
  name: 'moveCollection',
  description:
    'Moves a collection with its content to another parent in the organization, to another position among its siblings, or both. FORBIDDEN unless you are an admin of the collection that it leaves and of the one that it enters, or can create content at the top level. Roles that are inherited there replace those that were inherited before. CONFLICT if it is already there.',
  input: z.object({
    collectionId: idOf('collection'),
    parentId: parentOfMove,
    position: siblingPosition.nullish(),
  }),
  versioned: 'collectionId',
  authorize: (ctx, ids) => collectionFor(ctx, ids.collectionId ?? '', needed.collection),
  async run(ctx, { collectionId, position, ...given }) {
    const { organizationId } = await collectionFor(ctx, collectionId, needed.collection, { changesAccess: true });
    rejectNoMove({ position, ...given });
    const now = (await readParentUncached(ctx, collectionId)) ?? null;
    const place = { organizationId, parentId: given.parentId === undefined ? now : given.parentId };
    await authorizeMove(ctx, place, needed, { isOtherParent: given.parentId !== undefined, treeChanges: true });
    if (place.parentId !== now) await authorizeLeaving(ctx, { organizationId, parentId: now }, needed);
    await collectionFor(ctx, collectionId, needed.collection, { lock: 'for no key update', changesAccess: true });
    if (place.parentId !== null && place.parentId !== now) await rejectMisplaced(ctx, collectionId, place.parentId);
    await moveItem(ctx, { itemId: collectionId, ...place, position });
    const collection = await ctx.db
      .updateTable('collection')
      .set({ updatedAt: nowOf(ctx) })
      .where('id', '=', collectionId)
      .returningAll()
      .executeTakeFirstOrThrow();
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
