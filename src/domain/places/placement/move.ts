import { sql } from 'kysely';
import { needsRebalance, ranksBetween } from '../../../lib/rank.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import {
  callerCanSee,
  type ItemParent,
  placeItem,
  rebalanceRanks,
  type SiblingPosition,
  tryLockPlace,
} from './place.ts';

/** The input field of moves that names the new parent. */
export const parentOfMove = idOf('collection')
  .nullish()
  .describe(
    'ID of the new parent collection, in the same organization. Null for the top level. If omitted, the parent is not changed. Requires `admin` on the parent, or the role `create` in the organization for the top level.',
  );

/** BAD_USER_INPUT unless a move names a parent or a position. */
export function rejectNoMove({ parentId, position }: Partial<Pick<Move, 'parentId' | 'position'>>): void {
  if (parentId === undefined && position == null) {
    throw badInput(['parentId'], 'Specify `parentId`, `position` or both.', 'REQUIRED');
  }
}

/** New place of an item. */
export interface Move extends ItemParent {
  itemId: string;
  position?: SiblingPosition | null | undefined;
}

/**
 * Moves a space or collection, under a lock of the new parent. CONFLICT if it is there already, as far as the caller
 * can see: siblings that are hidden do not count. Otherwise throws the errors of `placeItem`.
 */
export async function moveItem(ctx: Context, move: Move): Promise<void> {
  if (await isThere(ctx, move)) throw conflict('The item is already at this position.');
  await placeItem(ctx, move);
}

async function isThere(ctx: Context, { itemId, organizationId, parentId, position }: Move): Promise<boolean> {
  const { beforeId, afterId } = position ?? {};
  const [order, isBeyond] = afterId == null ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const { rows } = await sql<{ neighbourId: string | null }>`
    select (
      select at.item_id from placement at
      where at.parent_id = p.parent_id and at.rank ${isBeyond} p.rank and ${callerCanSee(ctx, sql.ref('at.item_id'))}
      order by at.rank ${order} limit 1) as neighbour_id
    from placement p where p.item_id = ${itemId} and p.parent_id = ${parentId ?? organizationId}`.execute(ctx.db);
  const [row] = rows;
  return row !== undefined && row.neighbourId === (beforeId ?? afterId ?? null);
}

/**
 * Removes a collection from the order and puts its content in its place, in the same order: deleted and hidden items
 * too. Returns the ids of the items. Locks the parent.
 */
export async function replaceByContent(
  ctx: Context,
  { itemId, ...place }: ItemParent & { itemId: string },
): Promise<string[]> {
  await tryLockPlace(ctx, place);
  const parentId = place.parentId ?? place.organizationId;
  const { rows } = await sql<{ rank: string; next: string | null; contentIds: string[] }>`
    delete from placement p where p.item_id = ${itemId}
    returning p.rank,
      (select min(rank) from placement where parent_id = p.parent_id and rank > p.rank) as next,
      array(select item_id from placement where parent_id = p.item_id order by rank) as content_ids`.execute(ctx.db);
  const [removed] = rows;
  if (!removed) return [];
  const ranks = ranksBetween(removed.rank, removed.next, removed.contentIds.length);
  await sql`
    update placement set parent_id = ${parentId}, rank = ranked.rank
    from unnest(${removed.contentIds}::text[], ${ranks}::text[]) as ranked(item_id, rank)
    where placement.item_id = ranked.item_id`.execute(ctx.db);
  if (ranks.some(needsRebalance)) await rebalanceRanks(ctx, parentId);
  return removed.contentIds;
}
