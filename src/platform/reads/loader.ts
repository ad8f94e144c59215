import DataLoader from 'dataloader';
import { markHandled } from '../../lib/mark-handled.ts';
import type { Context } from '../context/context.ts';
import { peekRequestCache, requestCache } from './request-cache.ts';
import { type ReadByKey, type SharedReadOptions, sharedRead } from './shared-reads.ts';

/** Maximum number of keys in one statement: more than any list that is read at once has. */
const MAX_BATCH = 10_000;

/** A value, or a promise of it while it is being read. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Loads values by key, each once per request. Promises have a handler, so a caller may keep one while it awaits
 * another.
 */
export interface Loader<Value> {
  (ctx: Context, key: string): Promise<Value | undefined>;
  /** The same, but without a promise if the value has been read. Large lists are presented several times as fast. */
  peek(ctx: Context, key: string): MaybePromise<Value | undefined>;
  /** The values of many keys, in their order. */
  loadMany(ctx: Context, keys: readonly string[]): Promise<(Value | undefined)[]>;
  /** Adds a value that another statement has read. Undefined if there is none. */
  prime(ctx: Context, key: string, value: Value | undefined): void;
}

type ReadKeys<Value> = (ctx: Context, keys: string[]) => Promise<Map<string, Value>>;

/**
 * A loader by key. All keys that are requested in one tick of the event loop are read together. `read` returns what it
 * finds, in any order. Keys that are not found load as undefined.
 */
export function batchLoader<Value>(name: string, read: ReadKeys<Value>): Loader<Value> {
  const cacheKey = `loader:${name}`;
  const loaderOf = (ctx: Context): RequestLoader<Value> =>
    peekRequestCache(ctx, cacheKey) ?? requestCache(ctx, cacheKey, () => new RequestLoader(ctx, read));
  const load = (ctx: Context, key: string) => {
    const value = loaderOf(ctx).peek(key);
    return value instanceof Promise ? value : Promise.resolve(value);
  };
  return Object.assign(load, {
    peek: (ctx: Context, key: string) => loaderOf(ctx).peek(key),
    loadMany: (ctx: Context, keys: readonly string[]) => markHandled(loaderOf(ctx).loadMany(keys)),
    prime: (ctx: Context, key: string, value: Value | undefined) => loaderOf(ctx).prime(key, value),
  });
}

/**
 * The DataLoader of a request, with the values that it has read. DataLoader returns a promise also for a key whose value
 * it has: `peek` returns that value. A failed key is loaded again when it is next requested.
 */
class RequestLoader<Value> {
  readonly #values = new Map<string, Value | undefined>();
  readonly #loader: DataLoader<string, Value | undefined>;

  constructor(ctx: Context, read: ReadKeys<Value>) {
    const readBatch = async (keys: readonly string[]) => {
      const values = await read(ctx, [...keys]);
      for (const key of keys) this.#values.set(key, values.get(key));
      return keys.map((key) => values.get(key));
    };
    this.#loader = new DataLoader(readBatch, { maxBatchSize: MAX_BATCH });
  }

  peek(key: string): MaybePromise<Value | undefined> {
    const existing = this.#values.get(key);
    return existing !== undefined || this.#values.has(key) ? existing : markHandled(this.#loader.load(key));
  }

  async loadMany(keys: readonly string[]): Promise<(Value | undefined)[]> {
    const missing = keys.filter((key) => !this.#values.has(key));
    if (missing.length > 0) await Promise.all(missing.map((key) => this.#loader.load(key)));
    return keys.map((key) => this.#values.get(key));
  }

  prime(key: string, value: Value | undefined): void {
    if (!this.#values.has(key)) this.#values.set(key, value);
  }
}

/** `batchLoader` for rows with the key `id`. */
export function rowLoader<Value extends { id: string }>(
  name: string,
  read: (ctx: Context, ids: string[]) => Promise<Value[]>,
): Loader<Value> {
  return batchLoader(name, async (ctx, ids) => new Map((await read(ctx, ids)).map((row) => [row.id, row])));
}

/**
 * `batchLoader` for values that do not depend on the caller: all requests of the process share the statements
 * (`sharedRead`).
 */
export const sharedLoader = <Value>(name: string, read: ReadByKey<Value>, options?: SharedReadOptions): Loader<Value> =>
  batchLoader(name, sharedRead(read, options));

/** Uses a value of `peek`: at once if it is there. The promise has a handler, like those of loaders. */
export const andThen = <Value, Result>(
  value: MaybePromise<Value>,
  use: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? markHandled(value.then(use)) : use(value));
