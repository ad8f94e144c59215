import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { batchLoader } from '../../../platform/loader.ts';

/**
 * The collection that a space or collection stands in, batched and whoever asks: null at the top level of the
 * organization, undefined for what is no such item.
 */
export const parentOf = batchLoader<string | null>('placement:parent', readParents);

/** `parentOf` read now, for commands that have locked the parent since they asked first. */
export const parentNow = async (ctx: Context, itemId: string) => (await readParents(ctx, [itemId])).get(itemId);

async function readParents(ctx: Context, itemIds: string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ itemId: string; parentId: string | null }>`
    select item_id, nullif(parent_id, organization_id) as parent_id
    from placement where item_id = any(${itemIds}::text[])`.execute(ctx.db);
  return new Map(rows.map(({ itemId, parentId }) => [itemId, parentId]));
}
