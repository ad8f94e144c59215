import { AsyncLocalStorage } from 'node:async_hooks';
import DataLoader from 'dataloader';
import { Cancellation } from './cancellation.ts';
import type { Context, Services } from './context.ts';
import { abortable } from './database/abortable.ts';
import type { Database } from './database/tables.ts';

/** Maximum number of keys in one statement. */
const MAX_BATCH = 500;

/** A request that asks for more keys at once has a statement of its own, so that their number does not grow with the keys. */
export const MAX_SHARED = 100;

/** Number of statements of one kind that run at once. Meanwhile, the next batch grows. */
const MAX_RUNNING = 3;

/** What a read needs of the context of a request. */
type Reading = Pick<Context, 'services' | 'db' | 'inTransaction' | 'work' | 'meter'>;

/** Reads what the keys name, in any order. Runs one statement, and returns the same for all callers. */
export type ReadByKey<Value> = (db: Database, keys: string[]) => Promise<Map<string, Value>>;

/**
 * A read by key that is shared by all requests of the process: what they ask for in one turn of the event loop is read in
 * one statement. Nothing is cached, so that a read never returns what was true before the call. Values must not be
 * changed, since several requests can get the same one, and must not depend on the caller. Undefined if there is nothing.
 *
 * If a batch fails, it is read again for each request alone. A request that is cancelled no longer waits, and the
 * statement is cancelled when no request waits for it. In a transaction, and for more than 100 keys, reads are not shared.
 */
export function sharedRead<Value>(
  read: ReadByKey<Value>,
): (ctx: Reading, keys: readonly string[]) => Promise<Map<string, Value>> {
  const readers = new WeakMap<Services, SharedReader<Value>>();
  return async (ctx, keys) => {
    const possible = keys.filter(isStorable);
    if (possible.length === 0) return new Map();
    if (ctx.inTransaction) return read(ctx.db, [...new Set(possible)]);
    if (possible.length > MAX_SHARED) return readForOne(ctx, () => read(ctx.services.db, [...new Set(possible)]));
    let reader = readers.get(ctx.services);
    if (!reader) {
      reader = new SharedReader(ctx.services.db, read);
      readers.set(ctx.services, reader);
    }
    return reader.load(ctx, possible);
  };
}

/** A statement of one request, which is counted like those that requests share. */
async function readForOne<Value>({ meter }: Reading, read: () => Promise<Value>): Promise<Value> {
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

/** Whether PostgreSQL can store the text. Another one would fail the statement for all who share it. */
const isStorable = (key: string) => key.length <= 1_000 && !key.includes('\u0000') && key.isWellFormed();

/** The part of a request in a batch. */
interface Asked {
  key: string;
  by: Asker;
}

/** A request that waits for keys. */
interface Asker {
  readonly ctx: Reading;
  hasLeft: boolean;
  /** Called when the request is cancelled. */
  onLeave: (() => void) | undefined;
}

class SharedReader<Value> {
  readonly #db: Database;
  readonly #read: ReadByKey<Value>;
  readonly #loader: DataLoader<Asked, Value | undefined>;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(db: Database, read: ReadByKey<Value>) {
    this.#db = db;
    this.#read = read;
    this.#loader = new DataLoader((asked) => this.#readBatch(asked), {
      cache: false,
      maxBatchSize: MAX_BATCH,
      batchScheduleFn: (send) => this.#schedule(send),
    });
  }

  async load(ctx: Reading, keys: readonly string[]): Promise<Map<string, Value>> {
    const by: Asker = { ctx, hasLeft: false, onLeave: undefined };
    const values = await untilCancelled(by, Promise.all(keys.map((key) => this.#loader.load({ key, by }))));
    const found = new Map<string, Value>();
    for (const [index, key] of keys.entries()) {
      const value = values[index];
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  /** Sends a batch at the end of the turn, or when one of the running statements has ended. */
  #schedule(send: () => void): void {
    setImmediate(() => {
      if (this.#running < MAX_RUNNING) this.#start(send);
      else this.#waiting.push(send);
    });
  }

  #start(send: () => void): void {
    this.#running++;
    send();
  }

  #ended(): void {
    this.#running--;
    const next = this.#waiting.shift();
    if (next) this.#start(next);
  }

  async #readBatch(asked: readonly Asked[]): Promise<(Value | undefined | Error)[]> {
    try {
      const waiting = asked.filter(({ by }) => !by.hasLeft);
      const found = await this.#readFor(waiting).catch(asError);
      if (!(found instanceof Error)) return asked.map(({ key }) => found.get(key));
      const isOne = waiting.every(({ by }) => by === waiting[0]?.by);
      return isOne ? asked.map(() => found) : await this.#readAlone(asked);
    } finally {
      this.#ended();
    }
  }

  /** One statement for all, which is cancelled when the last of them has left. */
  async #readFor(asked: readonly Asked[]): Promise<Map<string, Value>> {
    if (asked.length === 0) return new Map();
    const askers = new Set(asked.map(({ by }) => by));
    const cancellation = new Cancellation();
    for (const asker of askers) {
      asker.onLeave = () => {
        if ([...askers].every(({ hasLeft }) => hasLeft))
          cancellation.cancel(new Error('No request waits for this read.'));
      };
    }
    const begun = performance.now();
    const keys = [...new Set(asked.map(({ key }) => key))];
    try {
      return await outsideOfRequests(() => abortable(cancellation, () => this.#read(this.#db, keys)));
    } finally {
      const milliseconds = performance.now() - begun;
      for (const meter of new Set([...askers].map(({ ctx }) => ctx.meter))) {
        if (!meter) continue;
        meter.statements++;
        meter.milliseconds += milliseconds;
      }
    }
  }

  /** Reads for each request alone, so that only those fail whose own keys do. */
  async #readAlone(asked: readonly Asked[]): Promise<(Value | undefined | Error)[]> {
    const results = new Map<Asker, Map<string, Value> | Error>();
    const groups = [...Map.groupBy(asked, ({ by }) => by)].filter(([asker]) => !asker.hasLeft);
    await Promise.all(
      groups.map(async ([asker, own]) => {
        results.set(asker, await this.#readFor(own).catch(asError));
      }),
    );
    return asked.map(({ key, by }) => {
      const result = results.get(by);
      return result instanceof Error ? result : result?.get(key);
    });
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** Runs a statement without the cancellation of the request that happens to start it. */
const outsideOfRequests = AsyncLocalStorage.snapshot();

/** Waits for a value until the request is cancelled. Rejects with the reason. */
async function untilCancelled<Value>(asker: Asker, value: Promise<Value>): Promise<Value> {
  const cancellation = asker.ctx.work?.cancellation;
  if (!cancellation) return value;
  cancellation.throwIfCancelled();
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const leave = () => {
    asker.hasLeft = true;
    asker.onLeave?.();
    reject(cancellation.reason);
  };
  cancellation.on(leave);
  try {
    return await Promise.race([value, cancelled]);
  } finally {
    cancellation.off(leave);
  }
}
