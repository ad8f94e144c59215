import { Kysely } from 'kysely';
import type pg from 'pg';
import { markHandled } from '../../../lib/mark-handled.ts';
import { abortable, currentSignal } from '../abortable.ts';
import { type DatabaseOptions, openPooled, type PooledDialect } from '../database.ts';
import type { StatementObserver } from '../pool-connection.ts';
import { sharesSessions } from '../pooler.ts';
import { openSession } from '../session.ts';
import type { Database, Tables } from '../tables.ts';
import { faultOf, readReplicaState } from './position.ts';
import type { PrimaryLog } from './primary-log.ts';

/** Time limit of a check of a server. */
const CHECK_WITHIN_MS = 2_000;

/** Options of a connection that checks a server. */
export const CHECK_SESSION: pg.ClientConfig = {
  application_name: 'stemma replica check',
  connectionTimeoutMillis: CHECK_WITHIN_MS,
  query_timeout: CHECK_WITHIN_MS,
};

const POOLED =
  'is behind a pooler in transaction mode, whose sessions lack the settings of the service. Name the server itself in DATABASE_REPLICA_URLS, and start again.';

/** A replica has left while it was read. */
class ReplicaLeftError extends Error {}

type Opened = PooledDialect & { db: Database };

/** A replica with its pool, which is open while the replica can be read. */
export class Replica {
  /** Host and port. */
  readonly name: string;
  readonly #url: string;
  readonly #options: DatabaseOptions;
  readonly #running = new Set<(reason: Error) => void>();
  #client: pg.Client | undefined;
  #opened: Opened | undefined;
  #isPooled: boolean | undefined;
  #fault: string | undefined = 'has not been checked yet.';
  #freshAt: number | undefined;
  #checking: Promise<void> | undefined;
  #observer: StatementObserver | undefined;

  constructor(url: string, options: DatabaseOptions) {
    const { hostname, port } = new URL(url);
    this.name = `${hostname}:${port || '5432'}`;
    this.#url = url;
    this.#options = options;
  }

  /** Number of reads that run. */
  get running(): number {
    return this.#running.size;
  }

  /** Why it cannot be read, apart from its lag. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Age of its state in milliseconds; undefined if it is not known. */
  get lagMs(): number | undefined {
    return this.#freshAt === undefined ? undefined : performance.now() - this.#freshAt;
  }

  observe(observer: StatementObserver): void {
    this.#observer = observer;
    if (this.#opened) this.#opened.dialect.observer = observer;
  }

  /** Compares its state with the primary's, and opens or closes its pool. Calls during a check share it. */
  check(primary: PrimaryLog): Promise<void> {
    this.#checking ??= this.#check(primary).finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(primary: PrimaryLog): Promise<void> {
    try {
      this.#client ??= await openSession(this.#url, CHECK_SESSION);
      const state = await readReplicaState(this.#client);
      if (!primary.history) return;
      const fault = faultOf(state, primary.history) ?? ((await this.#isBehindPooler()) ? POOLED : undefined);
      if (fault !== undefined || state.position === null) {
        this.#leave(fault);
        return;
      }
      this.#freshAt = primary.momentOf(state.position);
      this.#opened ??= this.#open();
      this.#fault = undefined;
    } catch (error) {
      await this.#closeClient();
      this.#leave(`cannot be reached (${error instanceof Error ? error.message : String(error)}).`);
    }
  }

  async #isBehindPooler(): Promise<boolean> {
    this.#isPooled ??= await sharesSessions(this.#url);
    return this.#isPooled;
  }

  #open(): Opened {
    const pooled = openPooled(this.#url, this.#options);
    pooled.dialect.observer = this.#observer;
    return { ...pooled, db: new Kysely<Tables>({ dialect: pooled.dialect }) };
  }

  /** Ends all reads, whose callers read from the primary. Their connections are not used again. */
  #leave(fault: string | undefined): void {
    this.#fault = fault;
    this.#freshAt = undefined;
    const opened = this.#opened;
    this.#opened = undefined;
    for (const end of this.#running) end(new ReplicaLeftError(`The replica ${this.name} is no longer read.`));
    // Connections whose statements hang are closed when the cancellation of these ends in vain.
    if (opened) markHandled(opened.db.destroy());
  }

  /**
   * Runs a read. It fails at once when the replica leaves, even if the server no longer answers, and its statements are
   * cancelled with the caller's request.
   */
  async run<Result>(read: (db: Database) => Promise<Result>): Promise<Result> {
    const opened = this.#opened;
    if (!opened) throw new ReplicaLeftError(`The replica ${this.name} is not read.`);
    const request = currentSignal();
    request?.throwIfAborted();
    const controller = new AbortController();
    const interruption = Promise.withResolvers<never>();
    markHandled(interruption.promise);
    const end = (reason: Error) => {
      controller.abort(reason);
      interruption.reject(reason);
    };
    const cancel = () => end(request?.reason);
    request?.addEventListener('abort', cancel);
    this.#running.add(end);
    try {
      const reading = markHandled(abortable(controller.signal, () => read(opened.db)));
      return await Promise.race([reading, interruption.promise]);
    } finally {
      this.#running.delete(end);
      request?.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    // A check could open the pool again.
    await this.#checking;
    const opened = this.#opened;
    this.#opened = undefined;
    await Promise.all([opened?.db.destroy(), this.#closeClient()]);
  }

  async #closeClient(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}
