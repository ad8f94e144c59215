import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { needsRebalance, rankBetween, ranksBetween } from '../../../lib/rank.ts';
import { withCode } from '../../../lib/validation/issue-code.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { mayList, reaches, roleSql } from '../../people/access/index.ts';

const sibling = (place: string) =>
  z
    .string()
    .max(200)
    .meta({ prefix: 'space', description: `ID of the space or collection ${place}.` })
    .nullish();

export const siblingPosition = z
  .object({ beforeId: sibling('that follows'), afterId: sibling('that precedes') })
  .refine(({ beforeId, afterId }) => beforeId == null || afterId == null, {
    error: 'must contain either "beforeId" or "afterId", not both.',
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'SiblingPositionInput',
    description: 'A position among the spaces and collections of a parent. If no sibling is given, the last position.',
  });

export type SiblingPosition = z.output<typeof siblingPosition>;

/** Parent of an item: a collection, or null for the top level of the organization. */
export interface ItemParent {
  organizationId: string;
  parentId: string | null;
}

/** Locks the order of siblings until the transaction ends. BAD_USER_INPUT if the collection does not exist. */
export async function lockPlace(ctx: Context, place: ItemParent): Promise<void> {
  if (await tryLockPlace(ctx, place)) return;
  throw badInput(['parentId'], `Collection "${place.parentId}" does not exist in this organization.`, 'NOT_FOUND');
}

/** The same, but returns whether the collection exists. */
export async function tryLockPlace(ctx: Context, { organizationId, parentId }: ItemParent): Promise<boolean> {
  const parent =
    parentId === null ? sql`organization where true` : sql`collection where organization_id = ${organizationId}`;
  const { rows } = await sql`
    select 1 from ${parent} and id = ${parentId ?? organizationId} for no key update`.execute(ctx.db);
  return rows.length > 0;
}

/**
 * Places a space or collection among the siblings of a parent, or moves it there, under a lock of the parent. The
 * sibling of a position must be in the same parent and visible to the caller: otherwise BAD_USER_INPUT. Deleted and
 * hidden siblings keep their positions.
 */
export async function placeItem(
  ctx: Context,
  { itemId, position, ...place }: ItemParent & { itemId: string; position?: SiblingPosition | null | undefined },
): Promise<void> {
  await lockPlace(ctx, place);
  const siblings = { itemId, parentId: place.parentId ?? place.organizationId };
  let rank = await rankAt(ctx, siblings, position);
  if (needsRebalance(rank)) {
    await rebalanceRanks(ctx, siblings.parentId);
    rank = await rankAt(ctx, siblings, position);
  }
  const values = { organizationId: place.organizationId, parentId: siblings.parentId, rank };
  await ctx.db
    .insertInto('placement')
    .values({ itemId, ...values })
    .onConflict((conflict) => conflict.column('itemId').doUpdateSet(values))
    .execute();
}

/** The siblings of an item: the other items of the parent. */
interface Siblings {
  itemId: string;
  parentId: string;
}

async function rankAt(ctx: Context, siblings: Siblings, position: SiblingPosition | null | undefined): Promise<string> {
  const { beforeId, afterId } = position ?? {};
  if (beforeId != null) {
    const before = await rankOf(ctx, siblings, 'beforeId', beforeId);
    return rankBetween(
      await neighbour(ctx, siblings, sql<string | null>`max(rank)`, sql<boolean>`rank < ${before}`),
      before,
    );
  }
  if (afterId != null) {
    const after = await rankOf(ctx, siblings, 'afterId', afterId);
    return rankBetween(
      after,
      await neighbour(ctx, siblings, sql<string | null>`min(rank)`, sql<boolean>`rank > ${after}`),
    );
  }
  return rankBetween(await neighbour(ctx, siblings, sql<string | null>`max(rank)`, sql<boolean>`true`), null);
}

/** The rank of the sibling that a position names. */
async function rankOf(ctx: Context, { itemId, parentId }: Siblings, name: string, id: string): Promise<string> {
  if (id === itemId) throw badInput(['position', name], 'An item cannot be placed relative to itself.');
  const named = ctx.db
    .selectFrom('placement')
    .where('itemId', '=', id)
    .where('parentId', '=', parentId)
    .where(callerCanSee(ctx, sql`${id}`));
  const row = await named.select('rank').executeTakeFirst();
  if (row) return row.rank;
  throw badInput(
    ['position', name],
    `"${id}" is not a space or collection in this parent, or you cannot see it.`,
    'NOT_FOUND',
  );
}

/** The condition that the caller can see a space, which is not deleted, or a collection. */
export const callerCanSee = ({ actor }: Context, id: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from space s where s.id = ${id} and s.deleted_at is null and ${mayList(actor, 's')})
  or exists (select from collection c where c.id = ${id} and ${reaches(roleSql.collection(actor, 'c'), 'read')}))`;

async function neighbour(
  ctx: Context,
  { itemId, parentId }: Siblings,
  nearest: RawBuilder<string | null>,
  condition: RawBuilder<boolean>,
): Promise<string | null> {
  const { rank } = await ctx.db
    .selectFrom('placement')
    .where('parentId', '=', parentId)
    .where('itemId', '<>', itemId)
    .where(condition)
    .select(nearest.as('rank'))
    .executeTakeFirstOrThrow();
  return rank;
}

/**
 * Replaces the ranks of all siblings by short ones in the same order. The new ranks follow the last old one, since rows
 * are updated one by one and ranks must stay unique.
 */
export async function rebalanceRanks(ctx: Context, parentId: string): Promise<void> {
  const siblings = await ctx.db
    .selectFrom('placement')
    .where('parentId', '=', parentId)
    .orderBy('rank')
    .select(['itemId', 'rank'])
    .execute();
  const ranks = ranksBetween(siblings.at(-1)?.rank ?? null, null, siblings.length);
  await sql`
    update placement set rank = ranked.rank
    from unnest(${siblings.map(({ itemId }) => itemId)}::text[], ${ranks}::text[]) as ranked(item_id, rank)
    where placement.item_id = ranked.item_id`.execute(ctx.db);
}
