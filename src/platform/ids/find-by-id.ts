import type { Context } from '../context/context.ts';
import { type IdPrefix, prefixOf } from './ids.ts';

/** Finds a resource of one kind by id. Undefined or null if it does not exist or the caller cannot see it. */
export type FindById = (ctx: Context, id: string) => Promise<unknown>;

const finders = new Map<IdPrefix, FindById>();

/** Registers how resources of a kind are found by id. */
export function findableById(prefix: IdPrefix, find: FindById): void {
  finders.set(prefix, find);
}

/** Finds a resource of any kind by its id. */
export async function findById(ctx: Context, id: string): Promise<unknown> {
  const prefix = prefixOf(id);
  return prefix && finders.get(prefix)?.(ctx, id);
}
