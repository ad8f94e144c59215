import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { needsRebalance, rankBetween, ranksBetween } from '../../../lib/rank.ts';
import { withCode } from '../../../lib/validation/issue-code.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { type SettingsChanges, settingsBetween } from '../../../platform/events/settings-changes.ts';

interface Sibling {
  id: string;
  rank: string;
}

const neighbour = (place: string) =>
  z
    .string()
    .max(200)
    .meta({ prefix: 'section', description: `ID of the sibling ${place}.` })
    .nullish();

/** A position among the siblings of a level. */
export const structurePosition = z
  .object({ beforeId: neighbour('that follows'), afterId: neighbour('that precedes') })
  .refine(({ beforeId, afterId }) => beforeId == null || afterId == null, {
    error: 'must contain either "beforeId" or "afterId", not both.',
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'SiteStructurePositionInput',
    description: 'A position among the siblings of a level. If no sibling is given, the last position.',
  })
  .nullish()
  .describe('New position among the siblings. By default, the last one.');

export type StructurePosition = z.output<typeof structurePosition>;

/** The rank after the last sibling. */
export const lastRank = (siblings: readonly Sibling[]) => rankBetween(siblings.at(-1)?.rank ?? null, null);

/** Ranks right after a sibling, for `count` new ones. */
export function ranksAfter(siblings: readonly Sibling[], id: string, count: number): string[] {
  const at = siblings.findIndex((sibling) => sibling.id === id);
  return ranksBetween(siblings[at]?.rank ?? null, siblings[at + 1]?.rank ?? null, count);
}

/**
 * Moves a row among its siblings, which are in order. A position next to a row of another level is BAD_USER_INPUT, the
 * position that the row has is CONFLICT. Ranks that became too long are replaced by short ones. Returns the positions
 * before and after, from 1, as the change of a setting.
 */
export async function moveAmong(
  ctx: Context,
  table: 'site_space' | 'site_item',
  siblings: readonly Sibling[],
  { id, position }: { id: string; position: StructurePosition },
): Promise<SettingsChanges> {
  const order = orderAfter(siblings, id, position);
  if (order.every((sibling, index) => sibling.id === siblings[index]?.id)) {
    throw conflict('The item already has this position.');
  }
  const at = order.findIndex((sibling) => sibling.id === id);
  const rank = rankBetween(order[at - 1]?.rank ?? null, order[at + 1]?.rank ?? null);
  const before = siblings.findIndex((sibling) => sibling.id === id);
  const changes = settingsBetween({ position: before + 1 }, { position: at + 1 });
  if (!needsRebalance(rank)) {
    await setRanks(ctx, table, [{ id, rank }]);
    return changes;
  }
  // They follow the last old rank, since rows are updated one by one and ranks must stay unique.
  const ranks = ranksBetween(siblings.at(-1)?.rank ?? null, null, order.length);
  await setRanks(
    ctx,
    table,
    order.map((sibling, index) => ({ id: sibling.id, rank: ranks[index] ?? sibling.rank })),
  );
  return changes;
}

function orderAfter(siblings: readonly Sibling[], id: string, position: StructurePosition): Sibling[] {
  const moved = siblings.filter((sibling) => sibling.id === id);
  const others = siblings.filter((sibling) => sibling.id !== id);
  const { beforeId, afterId } = position ?? {};
  const name = beforeId == null ? 'afterId' : 'beforeId';
  const nextTo = beforeId ?? afterId;
  if (nextTo == null) return [...others, ...moved];
  if (nextTo === id) throw badInput(['position', name], 'An item cannot be placed relative to itself.');
  const at = others.findIndex((sibling) => sibling.id === nextTo);
  if (at < 0) throw badInput(['position', name], `"${nextTo}" is not on the same level of the site.`, 'NOT_FOUND');
  return others.toSpliced(beforeId == null ? at + 1 : at, 0, ...moved);
}

/** Sets ranks, and other columns of the same rows, in one statement. */
export async function setRanks(
  ctx: Context,
  table: 'site_space' | 'site_item',
  ranks: readonly Sibling[],
  also: RawBuilder<unknown> = sql``,
): Promise<void> {
  if (ranks.length === 0) return;
  await sql`
    update ${sql.table(table)} t set rank = ranked.rank ${also}
    from unnest(${ranks.map(({ id }) => id)}::text[], ${ranks.map(({ rank }) => rank)}::text[]) as ranked(id, rank)
    where t.id = ranked.id`.execute(ctx.db);
}
