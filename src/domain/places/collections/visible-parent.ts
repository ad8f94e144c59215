import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { andThen, batchLoader, type MaybePromise } from '../../../platform/reads/loader.ts';
import { parentOf } from '../placement/index.ts';
import { loadCollection } from './load.ts';

/** The collection that contains a space or collection, unless it is hidden from the caller. Batched. */
export function visibleParent(ctx: Context, itemId: string): MaybePromise<Row<'collection'> | null> {
  return andThen(parentOf.peek(ctx, itemId), (parentId) =>
    parentId ? andThen(loadCollection.peek(ctx, parentId), (parent) => parent ?? null) : null,
  );
}

/** Reads the parents of many spaces or collections, in two statements; in one if `parentOf` has them. */
export async function readVisibleParents(ctx: Context, itemIds: readonly string[]): Promise<void> {
  const parents = await parentOf.loadMany(ctx, itemIds);
  await loadCollection.loadMany(
    ctx,
    parents.filter((id) => id != null),
  );
}

/**
 * Id of the collection that contains a space or collection, undefined if there is none or it is hidden from the caller.
 * Batched. Those who know it from the decision about the item can add it without reading the collection.
 */
export const visibleParentId = batchLoader<string>('visible parent', async (ctx, itemIds) => {
  await readVisibleParents(ctx, itemIds);
  const found = new Map<string, string>();
  for (const id of itemIds) {
    const parent = await visibleParent(ctx, id);
    if (parent) found.set(id, parent.id);
  }
  return found;
});
