import type { Context } from './context.ts';
import { type IdPrefix, prefixOf } from './ids.ts';

/** Finds what the caller may see of one kind by id; undefined or null for what is absent and what is hidden alike. */
export type FindById = (ctx: Context, id: string) => Promise<unknown>;

const finders = new Map<IdPrefix, FindById>();

/** Says how resources of a kind are read by id. */
export function findableById(prefix: IdPrefix, find: FindById): void {
  finders.set(prefix, find);
}

/** A resource of any kind by its plain id. */
export async function findById(ctx: Context, id: string): Promise<unknown> {
  const prefix = prefixOf(id);
  return prefix && finders.get(prefix)?.(ctx, id);
}
