import { LRUCache } from 'lru-cache';

/** Number of totals that a process remembers, with about 300 bytes each. */
const MAX_TOTALS = 10_000;

/** By the list with its arguments, the name of its conditions, and the parent. */
const totals = new LRUCache<string, number>({ max: MAX_TOTALS });

const keyOf = (list: string, conditions: string, parentId: string) => `${list} ${conditions} ${parentId}`;

/** A total of a list with `totalsFollowAccess` that this process has counted under conditions of this name. */
export const rememberedTotal = (list: string, conditions: string, parentId: string): number | undefined =>
  totals.get(keyOf(list, conditions, parentId));

/** Remembers what was counted under conditions of this name. */
export function rememberTotal(list: string, conditions: string, parentId: string, total: number): void {
  totals.set(keyOf(list, conditions, parentId), total);
}
