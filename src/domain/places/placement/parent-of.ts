import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { batchLoader } from '../../../platform/loader.ts';

/**
 * The collection that a space or collection stands in, batched and whoever asks: null at the top level of the
 * organization, undefined for what is no such item.
 */
export const parentOf = batchLoader<string | null>('placement:parent', readParents);

/** `parentOf` read now, for commands that have locked the parent since they asked first. */
export const parentNow = async (ctx: Context, itemId: string) => (await readParents(ctx, [itemId])).get(itemId);

async function readParents(ctx: Context, itemIds: string[]): Promise<Map<string, string | null>> {
  const rows = await ctx.db
    .selectFrom('placement')
    .where('itemId', '=', anyOf(itemIds))
    .select(['itemId', sql<string | null>`nullif(parent_id, organization_id)`.as('parentId')])
    .execute();
  return new Map(rows.map(({ itemId, parentId }) => [itemId, parentId]));
}
