import DataLoader from 'dataloader';
import { markHandled } from '../lib/mark-handled.ts';
import type { Context } from './context.ts';
import { cached, requestCache } from './request-cache.ts';

/** Maximum number of keys in one statement: more than any list that is read at once has. */
const MAX_BATCH = 10_000;

/** A value, or a promise of it while it is being read. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Loads values by key, each once per request. The promises have a handler from the moment they are made, so a caller may
 * keep one while it awaits another.
 */
export interface Loader<Value> {
  (ctx: Context, key: string): Promise<Value | undefined>;
  /** The same, but without a promise if the value has been read. Large lists are presented several times as fast. */
  now(ctx: Context, key: string): MaybePromise<Value | undefined>;
  /**
   * Reads many keys, except those that have been read, in one statement for all calls of a turn. `now` then returns them
   * without a promise.
   */
  readAll(ctx: Context, keys: readonly string[]): Promise<void>;
  /** The values of many keys, in their order: `readAll`, and then `now` for each, without promises. */
  all(ctx: Context, keys: readonly string[]): Promise<(Value | undefined)[]>;
  /** Adds a value that was read otherwise, so that it is not read again. Undefined if there is none. */
  prime(ctx: Context, key: string, value: Value | undefined): void;
}

type ReadKeys<Value> = (ctx: Context, keys: string[]) => Promise<Map<string, Value>>;

/**
 * A loader by key. All keys that are requested in one turn of the event loop are read together. `read` returns what it
 * finds, in any order. Keys that are not found load as undefined.
 */
export function batchLoader<Value>(name: string, read: ReadKeys<Value>): Loader<Value> {
  const cacheKey = `loader:${name}`;
  const loaderOf = (ctx: Context): RequestLoader<Value> =>
    cached(ctx, cacheKey) ?? requestCache(ctx, cacheKey, () => new RequestLoader(ctx, read));
  return Object.assign((ctx: Context, key: string) => loaderOf(ctx).load(key), {
    now: (ctx: Context, key: string) => loaderOf(ctx).now(key),
    readAll: (ctx: Context, keys: readonly string[]) => markHandled(loaderOf(ctx).readAll(keys)),
    all: (ctx: Context, keys: readonly string[]) => markHandled(loaderOf(ctx).all(keys)),
    prime: (ctx: Context, key: string, value: Value | undefined) => loaderOf(ctx).prime(key, value),
  });
}

/** Stands for a value that was read and does not exist. */
const NONE = Symbol('none');

/** The loader of one request. */
class RequestLoader<Value> {
  readonly #ctx: Context;
  readonly #read: ReadKeys<Value>;
  readonly #known = new Map<string, Value | typeof NONE>();
  readonly #batches: DataLoader<string, Value | undefined>;
  /** What `readAll` was asked for in this turn of the event loop. */
  #wanted = new Set<string>();
  #reading: Promise<void> | undefined;

  constructor(ctx: Context, read: ReadKeys<Value>) {
    this.#ctx = ctx;
    this.#read = read;
    this.#batches = new DataLoader((keys) => this.#readNow(keys), { maxBatchSize: MAX_BATCH });
  }

  load(key: string): Promise<Value | undefined> {
    const value = this.now(key);
    return value instanceof Promise ? value : Promise.resolve(value);
  }

  now(key: string): MaybePromise<Value | undefined> {
    const known = this.#known.get(key);
    if (known === undefined) return markHandled(this.#batches.load(key));
    return known === NONE ? undefined : known;
  }

  async readAll(keys: readonly string[]): Promise<void> {
    const isMissing = keys.some((key) => !this.#known.has(key));
    if (!isMissing) return;
    for (const key of keys) if (!this.#known.has(key)) this.#wanted.add(key);
    this.#reading ??= markHandled(endOfTurn().then(() => this.#readWanted()));
    await this.#reading;
  }

  async all(keys: readonly string[]): Promise<(Value | undefined)[]> {
    await this.readAll(keys);
    return keys.map((key) => {
      const known = this.#known.get(key);
      return known === NONE ? undefined : known;
    });
  }

  prime(key: string, value: Value | undefined): void {
    if (!this.#known.has(key)) this.#known.set(key, value === undefined ? NONE : value);
  }

  async #readWanted(): Promise<void> {
    const keys = [...this.#wanted];
    this.#wanted = new Set();
    this.#reading = undefined;
    for (let start = 0; start < keys.length; start += MAX_BATCH)
      await this.#readNow(keys.slice(start, start + MAX_BATCH));
  }

  async #readNow(keys: readonly string[]): Promise<(Value | undefined)[]> {
    const found = await this.#read(this.#ctx, [...keys]);
    return keys.map((key) => {
      const value = found.get(key);
      this.#known.set(key, value === undefined ? NONE : value);
      return value;
    });
  }
}

/** After the promises that are settled have run, like the batches of DataLoader. */
const endOfTurn = () => Promise.resolve().then(() => new Promise<void>((resolve) => process.nextTick(resolve)));

/** `batchLoader` for rows with the key `id`. */
export function rowLoader<Value extends { id: string }>(
  name: string,
  read: (ctx: Context, ids: string[]) => Promise<Value[]>,
): Loader<Value> {
  return batchLoader(name, async (ctx, ids) => new Map((await read(ctx, ids)).map((row) => [row.id, row])));
}

/** Uses a value of `now`: at once if it is there. The promise has a handler, like those of loaders. */
export const andThen = <Value, Result>(
  value: MaybePromise<Value>,
  use: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? markHandled(value.then(use)) : use(value));
