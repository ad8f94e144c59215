import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { parentOf } from '../placement/index.ts';
import { loadCollection } from './load.ts';

/** The collection that contains a space or collection, unless it is hidden from the caller. Batched. */
export async function visibleParent(ctx: Context, itemId: string): Promise<Row<'collection'> | null> {
  const parentId = await parentOf(ctx, itemId);
  return (parentId && (await loadCollection(ctx, parentId))) || null;
}
