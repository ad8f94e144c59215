import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { andThen, type MaybePromise } from '../../../platform/reads/loader.ts';
import { accessLoader, parentOf, permissions } from '../../people/access/index.ts';
import { loadCollection } from './load.ts';

/** The collection that contains a space or collection, unless it is hidden from the caller. Batched. */
export function visibleParent(ctx: Context, itemId: string): MaybePromise<Row<'collection'> | null> {
  return andThen(parentOf.peek(ctx, itemId), (parentId) =>
    parentId ? andThen(loadCollection.peek(ctx, parentId), (parent) => parent ?? null) : null,
  );
}

/**
 * Id of the collection that contains a space or collection. Undefined if there is none or it is hidden from the caller.
 */
export const visibleParentId = (ctx: Context, itemId: string): MaybePromise<string | undefined> =>
  andThen(parentOf.peek(ctx, itemId), (parentId) =>
    parentId
      ? andThen(accessLoader.collection.peek(ctx, parentId), (access) =>
          atLeast(access?.role, permissions.getCollection.collection) ? parentId : undefined,
        )
      : undefined,
  );

/**
 * Reads the ids of the visible parents of many spaces or collections, in at most two statements. After `primeAccess`
 * for them, usually in none.
 */
export async function loadVisibleParentIds(ctx: Context, itemIds: readonly string[]): Promise<void> {
  const parents = await parentOf.loadMany(ctx, itemIds);
  await accessLoader.collection.loadMany(
    ctx,
    parents.filter((id) => id != null),
  );
}
