import type { EntityManager } from '@mikro-orm/postgresql';
import { markHandled } from '../../lib/mark-handled.ts';
import type { Context } from '../context/context.ts';
import { outsideOfRequests } from '../context/outside-of-requests.ts';
import type { Services } from '../context/services.ts';
import { abortable, currentSignal } from '../database/abortable.ts';
import type { Database } from '../database/tables.ts';

/** Default maximum number of keys in one statement. */
const MAX_BATCH = 500;

/** Default of `maxShared`. */
export const MAX_SHARED = 100;

/** Number of statements of one kind that run at once. Meanwhile, the next batch grows. */
const MAX_RUNNING = 3;

/** What a read needs of the context of a request. */
type SharedReadContext = Pick<Context, 'services' | 'db' | 'em' | 'inTransaction' | 'deadline' | 'meter'>;

/**
 * Reads what the keys name, in any order, with one statement of the query builder or of the ORM. Returns the same for
 * all callers.
 */
export type ReadByKey<Value> = (db: Database, keys: string[], em: EntityManager) => Promise<Map<string, Value>>;

export interface SharedReadOptions {
  /** Maximum number of keys in one statement, 500 by default. */
  maxBatch?: number;
  /** What is read never changes, so that a replica may answer: see `readStored`. Its statements use only `db`. */
  isStored?: boolean;
  /**
   * Requests for more keys have a statement of their own, so that their number does not grow with the keys. Default
   * 100.
   */
  maxShared?: number;
}

/** Reads values by key. Concurrent requests share the statement. */
export type SharedRead<Value> = (ctx: SharedReadContext, keys: readonly string[]) => Promise<Map<string, Value>>;

/**
 * A read by key that is shared by all requests of the process: what they ask for in one tick of the event loop is read
 * in one statement. Nothing is cached, so that a read never returns what was true before the call. Values must not be
 * changed, since several requests can get the same one, and must not depend on the caller. Undefined if there is
 * nothing.
 *
 * If a batch fails, it is read again for each request separately. A request that is cancelled no longer waits, and the
 * statement is cancelled when no request waits for it. In a transaction, and for more than `maxShared` keys, reads are
 * not shared, and have a statement for each `maxBatch` keys. The promises have a handler, like those of loaders.
 */
export function sharedRead<Value>(
  read: ReadByKey<Value>,
  { maxBatch = MAX_BATCH, maxShared = Math.min(MAX_SHARED, maxBatch), isStored = false }: SharedReadOptions = {},
): SharedRead<Value> {
  const readOutside = ({ db, em, replicas }: Servers, keys: string[]) =>
    isStored
      ? replicas.lookUp(
          keys,
          (replica, batch) => read(replica, batch, em),
          (batch) => read(db, batch, em),
        )
      : read(db, keys, em);
  const readers = new WeakMap<Services, SharedReader<Value>>();
  const readFor = async (ctx: SharedReadContext, keys: readonly string[]): Promise<Map<string, Value>> => {
    const possible = keys.filter(isStorable);
    if (possible.length === 0) return new Map();
    if (ctx.inTransaction) return inBatches(possible, maxBatch, (batch) => read(ctx.db, batch, ctx.em));
    if (keys.length > maxShared)
      return inBatches(possible, maxBatch, (batch) => readForOne(ctx, () => readOutside(ctx.services, batch)));
    let reader = readers.get(ctx.services);
    if (!reader) {
      reader = new SharedReader(ctx.services, readOutside, maxBatch);
      readers.set(ctx.services, reader);
    }
    return reader.load(ctx, possible);
  };
  return (ctx, keys) => markHandled(readFor(ctx, keys));
}

/** Reads what the keys name, one batch after the other. */
async function inBatches<Value>(
  keys: readonly string[],
  maxBatch: number,
  read: (batch: string[]) => Promise<Map<string, Value>>,
): Promise<Map<string, Value>> {
  const unique = [...new Set(keys)];
  if (unique.length <= maxBatch) return read(unique);
  const values = new Map<string, Value>();
  for (let at = 0; at < unique.length; at += maxBatch) {
    for (const [key, value] of await read(unique.slice(at, at + maxBatch))) values.set(key, value);
  }
  return values;
}

/** A statement of one request, which is counted like those that requests share. */
async function readForOne<Value>({ meter }: SharedReadContext, read: () => Promise<Value>): Promise<Value> {
  const begun = performance.now();
  try {
    return await read();
  } finally {
    if (meter) {
      meter.statements++;
      meter.milliseconds += performance.now() - begun;
    }
  }
}

/** Maximum length of a key: more than the longest path of a page has. */
const MAX_KEY = 8_000;

/** Whether PostgreSQL can store the text. Another one would fail the statement for all who share it. */
const isStorable = (key: string) => key.length <= MAX_KEY && !key.includes('\u0000') && key.isWellFormed();

/** A request that waits for its keys. */
interface Waiter<Value> {
  readonly ctx: SharedReadContext;
  readonly keys: readonly string[];
  isCancelled: boolean;
  /** Called when the request is cancelled. */
  onCancel: (() => void) | undefined;
  settle(result: ReadonlyMap<string, Value> | Error): void;
}

/** Requests whose keys are read together. */
interface Batch<Value> {
  readonly waiters: Waiter<Value>[];
  readonly keys: Set<string>;
}

/** Where reads outside of transactions go. */
type Servers = Pick<Services, 'db' | 'em' | 'replicas'>;

type ReadOutside<Value> = (servers: Servers, keys: string[]) => Promise<Map<string, Value>>;

class SharedReader<Value> {
  readonly #services: Servers;
  readonly #read: ReadOutside<Value>;
  readonly #maxBatch: number;
  /** Takes requests until it is sent or full. */
  #open: Batch<Value> | undefined;
  readonly #waiting: Batch<Value>[] = [];
  #running = 0;

  constructor(services: Servers, read: ReadOutside<Value>, maxBatch: number) {
    this.#services = services;
    this.#read = read;
    this.#maxBatch = maxBatch;
  }

  load(ctx: SharedReadContext, keys: readonly string[]): Promise<Map<string, Value>> {
    const signal = ctx.deadline?.signal ?? currentSignal(); // of a request, or of a job
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const settle = (result: ReadonlyMap<string, Value> | Error) => {
        signal?.removeEventListener('abort', cancel);
        if (result instanceof Error) reject(result);
        else resolve(partOf(result, keys));
      };
      const waiter: Waiter<Value> = { ctx, keys, isCancelled: false, onCancel: undefined, settle };
      const cancel = () => {
        waiter.isCancelled = true;
        waiter.onCancel?.();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', cancel);
      const batch = this.#batchFor(keys);
      batch.waiters.push(waiter);
      for (const key of keys) batch.keys.add(key);
    });
  }

  #batchFor(keys: readonly string[]): Batch<Value> {
    const open = this.#open;
    if (open && open.keys.size + keys.length <= this.#maxBatch) return open;
    const batch: Batch<Value> = { waiters: [], keys: new Set() };
    this.#open = batch;
    // Sent at the end of the tick, or when one of the running statements has ended.
    setImmediate(() => {
      if (this.#running < MAX_RUNNING) this.#start(batch);
      else this.#waiting.push(batch);
    });
    return batch;
  }

  #start(batch: Batch<Value>): void {
    if (this.#open === batch) this.#open = undefined;
    this.#running++;
    this.#readBatch(batch).catch((error: unknown) => {
      for (const waiter of batch.waiters) waiter.settle(asError(error));
    });
  }

  #ended(): void {
    this.#running--;
    const next = this.#waiting.shift();
    if (next) this.#start(next);
  }

  async #readBatch({ waiters, keys }: Batch<Value>): Promise<void> {
    try {
      const waiting = waiters.filter(({ isCancelled }) => !isCancelled);
      const batchKeys = waiting.length === waiters.length ? keys : keysOf(waiting);
      const result = await this.#readFor(waiting, batchKeys).catch(asError);
      if (result instanceof Error && waiting.length > 1) await this.#readAlone(waiting);
      else for (const waiter of waiting) waiter.settle(result);
    } finally {
      this.#ended();
    }
  }

  /** One statement for all, which is cancelled when the last of them has left. */
  async #readFor(waiters: readonly Waiter<Value>[], keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Value>> {
    if (waiters.length === 0) return new Map();
    const controller = new AbortController();
    const cancelIfAbandoned = () => {
      if (waiters.every(({ isCancelled }) => isCancelled))
        controller.abort(new Error('All requests for this read were cancelled.'));
    };
    for (const waiter of waiters) waiter.onCancel = cancelIfAbandoned;
    const begun = performance.now();
    try {
      return await outsideOfRequests(() => abortable(controller.signal, () => this.#read(this.#services, [...keys])));
    } finally {
      const milliseconds = performance.now() - begun;
      for (const meter of new Set(waiters.map(({ ctx }) => ctx.meter))) {
        if (!meter) continue;
        meter.statements++;
        meter.milliseconds += milliseconds;
      }
    }
  }

  /** Reads for each request separately, so that one request's bad key fails no other. */
  async #readAlone(waiters: readonly Waiter<Value>[]): Promise<void> {
    const staying = waiters.filter(({ isCancelled }) => !isCancelled);
    await Promise.all(
      staying.map(async (waiter) => waiter.settle(await this.#readFor([waiter], keysOf([waiter])).catch(asError))),
    );
  }
}

const keysOf = (waiters: readonly Waiter<unknown>[]) => new Set(waiters.flatMap(({ keys }) => keys));

/** What was found of the keys of one request. */
function partOf<Value>(values: ReadonlyMap<string, Value>, keys: readonly string[]): Map<string, Value> {
  const part = new Map<string, Value>();
  for (const key of keys) {
    const value = values.get(key);
    if (value !== undefined) part.set(key, value);
  }
  return part;
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
