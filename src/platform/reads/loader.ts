import DataLoader from 'dataloader';
import { markHandled } from '../../lib/mark-handled.ts';
import type { Context } from '../context/context.ts';
import { cached, requestCache } from './request-cache.ts';
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
    cached(ctx, cacheKey) ?? requestCache(ctx, cacheKey, () => new RequestLoader(ctx, read));
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
 * The DataLoader of a request. It loads lists of keys, so that a long list costs one promise, and values that have been
 * read cost none. With a promise for each key, a list of 100 spaces by REST took a sixth more processor time. The price
 * is that the two maps below take the place of DataLoader's cache, which has a promise for each key.
 */
class RequestLoader<Value> {
  readonly #values = new Map<string, Value | undefined>();
  /** The reads that have not ended. Those that failed can be tried again. */
  readonly #reading = new Map<string, Promise<void>>();
  readonly #batches: DataLoader<readonly string[], void>;

  constructor(ctx: Context, read: ReadKeys<Value>) {
    const readLists = async (lists: readonly (readonly string[])[]) => {
      const keys = [...new Set(lists.flat())];
      try {
        for (let at = 0; at < keys.length; at += MAX_BATCH) {
          const batch = keys.slice(at, at + MAX_BATCH);
          const values = await read(ctx, batch);
          for (const key of batch) this.#values.set(key, values.get(key));
        }
      } finally {
        for (const key of keys) this.#reading.delete(key);
      }
      return lists.map(() => undefined);
    };
    this.#batches = new DataLoader(readLists, { cache: false });
  }

  peek(key: string): MaybePromise<Value | undefined> {
    const existing = this.#values.get(key);
    if (existing !== undefined || this.#values.has(key)) return existing;
    if (!this.#reading.has(key)) this.#read([key]);
    const reading = this.#reading.get(key);
    return reading && markHandled(reading.then(() => this.#values.get(key)));
  }

  async loadMany(keys: readonly string[]): Promise<(Value | undefined)[]> {
    const unknown = keys.filter((key) => !this.#values.has(key));
    const missing = unknown.filter((key) => !this.#reading.has(key));
    if (missing.length > 0) this.#read(missing);
    if (unknown.length > 0) await Promise.all(new Set(unknown.map((key) => this.#reading.get(key))));
    return keys.map((key) => this.#values.get(key));
  }

  prime(key: string, value: Value | undefined): void {
    if (!this.#values.has(key) && !this.#reading.has(key)) this.#values.set(key, value);
  }

  #read(keys: readonly string[]): void {
    const reading = markHandled(this.#batches.load(keys));
    for (const key of keys) this.#reading.set(key, reading);
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
