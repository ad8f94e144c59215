import DataLoader from 'dataloader';
import type { Context } from './context.ts';
import { requestCache } from './request-cache.ts';

const MAX_BATCH = 1_000;

/** Loads values by key, each once per request. */
export interface Loader<Value> {
  (ctx: Context, key: string): Promise<Value | undefined>;
  /** Adds a value that was read otherwise, so that it is not read again. */
  prime(ctx: Context, key: string, value: Value): void;
}

/**
 * A loader by key. All keys that are requested in one turn of the event loop are read together. `read` returns what it
 * finds, in any order. Keys that are not found load as undefined.
 */
export function batchLoader<Value>(
  name: string,
  read: (ctx: Context, keys: string[]) => Promise<Map<string, Value>>,
): Loader<Value> {
  const cacheKey = `loader:${name}`;
  const loaderOf = (ctx: Context) =>
    requestCache(
      ctx,
      cacheKey,
      () =>
        new DataLoader<string, Value | undefined>(
          async (keys) => {
            const found = await read(ctx, [...keys]);
            return keys.map((wanted) => found.get(wanted));
          },
          { maxBatchSize: MAX_BATCH },
        ),
    );
  return Object.assign((ctx: Context, key: string) => loaderOf(ctx).load(key), {
    prime: (ctx: Context, key: string, value: Value) => void loaderOf(ctx).prime(key, value),
  });
}

/** `batchLoader` for rows with the key `id`. */
export function rowLoader<Value extends { id: string }>(
  name: string,
  read: (ctx: Context, ids: string[]) => Promise<Value[]>,
): Loader<Value> {
  return batchLoader(name, async (ctx, ids) => new Map((await read(ctx, ids)).map((row) => [row.id, row])));
}
