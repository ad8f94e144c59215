import DataLoader from 'dataloader';
import type { Context } from './context.ts';
import { requestCache } from './request-cache.ts';

const MAX_BATCH = 1_000;

/**
 * A loader by key: all keys asked for in one turn of the event loop are read together. `read` gives what it found in
 * any order; a key that is not among it loads as undefined.
 */
export function batchLoader<Value>(
  name: string,
  read: (ctx: Context, keys: string[]) => Promise<Map<string, Value>>,
): (ctx: Context, key: string) => Promise<Value | undefined> {
  return (ctx, key) =>
    requestCache(
      ctx,
      `loader:${name}`,
      () =>
        new DataLoader<string, Value | undefined>(
          async (keys) => {
            const found = await read(ctx, [...keys]);
            return keys.map((wanted) => found.get(wanted));
          },
          { maxBatchSize: MAX_BATCH },
        ),
    ).load(key);
}

/** `batchLoader` for rows that carry their key as `id`. */
export function rowLoader<Value extends { id: string }>(
  name: string,
  read: (ctx: Context, ids: string[]) => Promise<Value[]>,
): (ctx: Context, id: string) => Promise<Value | undefined> {
  return batchLoader(name, async (ctx, ids) => new Map((await read(ctx, ids)).map((row) => [row.id, row])));
}
