import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { statement } from '../../../platform/database/statement.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { sharedRead } from '../../../platform/reads/shared-reads.ts';

const selectParents = statement((db, { itemIds }: { itemIds: string[] }) =>
  db
    .selectFrom('placement')
    .where('itemId', '=', anyOf(itemIds))
    .select(['itemId', sql<string | null>`nullif(parent_id, organization_id)`.as('parentId')]),
);

const readParents = sharedRead<string | null>(async (db, itemIds) => {
  const rows = await selectParents({ db }, { itemIds });
  return new Map(rows.map(({ itemId, parentId }) => [itemId, parentId]));
});

/**
 * Id of the collection that contains a space or collection, batched and without a check of permissions. Null at the top
 * level of the organization, undefined if there is no such item.
 */
export const parentOf = batchLoader<string | null>('placement:parent', readParents);

/** `parentOf` without the cache, for commands that have locked the parent since they first read it. */
export const readParentUncached = async (ctx: Context, itemId: string) =>
  (await readParents(ctx, [itemId])).get(itemId);
