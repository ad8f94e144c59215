import DataLoader from 'dataloader';
import type { Context } from './context.ts';
import { requestCache } from './request-cache.ts';

const MAX_BATCH = 1_000;

/** Loads by key, once in a request. */
export interface Loader<Value> {
  (ctx: Context, key: string): Promise<Value | undefined>;
  /** Hands over what was read on another way, so that it is not read again. */
  prime(ctx: Context, key: string, value: Value): void;
}

/**
 * A loader by key: all keys asked for in one turn of the event loop are read together. `read` gives what it found in
 * any order; a key that is not among it loads as undefined.
 */
export function batchLoader<Value>(
  name: string,
  read: (ctx: Context, keys: string[]) => Promise<Map<string, Value>>,
): Loader<Value> {
  const loaderOf = (ctx: Context) =>
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
    );
  return Object.assign((ctx: Context, key: string) => loaderOf(ctx).load(key), {
    prime: (ctx: Context, key: string, value: Value) => void loaderOf(ctx).prime(key, value),
  });
}

/** `batchLoader` for rows that carry their key as `id`. */
export function rowLoader<Value extends { id: string }>(
  name: string,
  read: (ctx: Context, ids: string[]) => Promise<Value[]>,
): Loader<Value> {
  return batchLoader(name, async (ctx, ids) => new Map((await read(ctx, ids)).map((row) => [row.id, row])));
}
