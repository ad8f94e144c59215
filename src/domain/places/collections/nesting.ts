import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';

/** Maximum depth of nested collections. */
export const MAX_COLLECTION_DEPTH = 10;

/** Throws BAD_USER_INPUT if collections with so many levels would be nested too deep in a parent. */
export async function rejectTooDeep(ctx: Context, parentId: string, levels = 1): Promise<void> {
  const { rows } = await sql<{ depth: number }>`
    with recursive above(id, depth) as (
      select ${parentId}::text, 1
      union all
      select p.parent_id, above.depth + 1
      from above join placement p on p.item_id = above.id
      where p.parent_id <> p.organization_id and above.depth < ${sql.lit(MAX_COLLECTION_DEPTH)}
    )
    select max(depth) as depth from above`.execute(ctx.db);
  if ((rows[0]?.depth ?? 0) + levels <= MAX_COLLECTION_DEPTH) return;
  throw badInput(
    ['parentId'],
    `Collections can be nested up to ${MAX_COLLECTION_DEPTH} levels deep. Choose a parent at a higher level.`,
  );
}

/**
 * The collections inside a collection, itself included, with their level: 1 is the collection. Under a lock of the
 * tree.
 */
export async function subtreeOf({ db }: Context, collectionId: string): Promise<{ id: string; level: number }[]> {
  const { rows } = await sql<{ id: string; level: number }>`
    with recursive below(id, level) as (
      select ${collectionId}::text, 1
      union all
      select c.id, below.level + 1
      from below join placement p on p.parent_id = below.id join collection c on c.id = p.item_id
      where below.level <= ${sql.lit(MAX_COLLECTION_DEPTH)}
    )
    select id, level from below order by level, id`.execute(db);
  return rows;
}
