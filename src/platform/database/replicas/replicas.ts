import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { markHandled } from '../../../lib/mark-handled.ts';
import { outsideOfRequests } from '../../context/outside-of-requests.ts';
import { currentSignal } from '../abortable.ts';
import type { DatabaseOptions } from '../database.ts';
import type { StatementObserver } from '../pool-connection.ts';
import { openSession } from '../session.ts';
import type { Database } from '../tables.ts';
import { isUnreachable } from '../unavailable.ts';
import { readPrimaryState } from './position.ts';
import { PrimaryLog } from './primary-log.ts';
import { CHECK_SESSION, Replica } from './replica.ts';

/** Time between two checks: a quarter of the bound of the lag, within these limits. */
const CHECK_EVERY_MS = { least: 25, most: 1_000 };

/** How a read that a replica may answer was answered. */
const READ_OUTCOMES = [
  /** By a replica. */
  'replica',
  /** By the primary, for rows that the replica did not have (yet). A read can count here and as `replica`. */
  'missing',
  /** By the primary, since the replica failed, cancelled the read, or did not catch up in time. */
  'failed',
  /** By the primary, since no replica could be read. */
  'unavailable',
] as const;

export type ReadOutcome = (typeof READ_OUTCOMES)[number];

/** A replica as metrics show it. */
export interface ReplicaView {
  name: string;
  isInUse: boolean;
  /** Undefined if it is not known. */
  lagMs: number | undefined;
}

export interface ReplicasOptions extends DatabaseOptions {
  urls: readonly string[];
  /** The primary, or a pooler in front of it. */
  primaryUrl: string;
  /** Maximum age of the state of a replica that is read. */
  lagMs: number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/**
 * The replicas of the database. They are checked all the time: one that fails, lags or follows another primary is not
 * read, until a later check finds it well. See the README of this folder.
 */
export class Replicas {
  readonly #replicas: readonly Replica[];
  readonly #options: ReplicasOptions;
  readonly #primary = new PrimaryLog();
  readonly #counts = new Map<ReadOutcome, number>(READ_OUTCOMES.map((outcome) => [outcome, 0]));
  /** The states that the log of the process tells of. */
  readonly #told = new Map<Replica, string | undefined>();
  readonly #closing = new AbortController();
  #client: pg.Client | undefined;
  #turn = 0;
  #checks: Promise<void> | undefined;

  constructor(options: ReplicasOptions) {
    this.#options = options;
    this.#replicas = options.urls.map((url) => new Replica(url, options));
  }

  /** Whether the service has replicas, in use or not. */
  get areSet(): boolean {
    return this.#replicas.length > 0;
  }

  /** The timeline of the primary when it was last checked. */
  get timeline(): number | undefined {
    return this.#primary.history?.timeline;
  }

  /** Whether a replica can be read now. */
  get areInUse(): boolean {
    return this.#replicas.some((replica) => this.#isInUse(replica));
  }

  observe(observer: StatementObserver): void {
    for (const replica of this.#replicas) replica.observe(observer);
  }

  views(): ReplicaView[] {
    return this.#replicas.map((replica) => {
      const { name, lagMs } = replica;
      return { name, isInUse: this.#isInUse(replica), lagMs };
    });
  }

  /** Number of reads by outcome. */
  counts(): ReadonlyMap<ReadOutcome, number> {
    return this.#counts;
  }

  count(outcome: ReadOutcome): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  /** Checks all replicas once, and from then on until `close`. */
  async start(): Promise<void> {
    if (!this.areSet) return;
    await this.#checkAll();
    this.#checks = markHandled(this.#keepChecking());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#checks;
    await Promise.all(this.#replicas.map((replica) => replica.close()));
    await this.#closeClient();
  }

  /**
   * Reads from the replica in use that has the fewest reads. Undefined if there is none, and if the read fails there
   * for whatever reason: the caller then reads from the primary. Throws if the request is cancelled.
   */
  async attempt<Result>(read: (db: Database) => Promise<Result>): Promise<{ result: Result } | undefined> {
    const replica = this.#choose();
    if (!replica) {
      this.count('unavailable');
      return undefined;
    }
    try {
      const result = await replica.run(read);
      this.count('replica');
      return { result };
    } catch (error) {
      currentSignal()?.throwIfAborted();
      this.count('failed');
      if (error instanceof Error && isUnreachable(error)) markHandled(outsideOfRequests(() => this.#checkOne(replica)));
      return undefined;
    }
  }

  /** Reads by key from a replica, and from the primary what the replica does not have. */
  async lookUp<Value>(
    keys: readonly string[],
    fromReplica: (db: Database, keys: string[]) => Promise<Map<string, Value>>,
    fromPrimary: (keys: string[]) => Promise<Map<string, Value>>,
  ): Promise<Map<string, Value>> {
    if (!this.areSet) return fromPrimary([...keys]);
    const read = await this.attempt((db) => fromReplica(db, [...keys]));
    if (!read) return fromPrimary([...keys]);
    const missing = keys.filter((key) => !read.result.has(key));
    if (missing.length === 0) return read.result;
    this.count('missing');
    return new Map([...read.result, ...(await fromPrimary(missing))]);
  }

  #isInUse(replica: Replica): boolean {
    return replica.fault === undefined && (replica.lagMs ?? Number.POSITIVE_INFINITY) <= this.#options.lagMs;
  }

  #choose(): Replica | undefined {
    let chosen: Replica | undefined;
    // Of several with as few reads, another one each time.
    const start = this.#turn++ % (this.#replicas.length || 1);
    for (const replica of [...this.#replicas.slice(start), ...this.#replicas.slice(0, start)]) {
      if (this.#isInUse(replica) && (!chosen || replica.running < chosen.running)) chosen = replica;
    }
    return chosen;
  }

  async #keepChecking(): Promise<void> {
    const { least, most } = CHECK_EVERY_MS;
    const pause = Math.min(most, Math.max(least, this.#options.lagMs / 4));
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await this.#checkAll();
    }
  }

  async #checkAll(): Promise<void> {
    await this.#samplePrimary();
    await Promise.all(this.#replicas.map((replica) => this.#checkOne(replica)));
  }

  /** If it fails, the ages of the replicas grow beyond the bound. */
  async #samplePrimary(): Promise<void> {
    // What is committed before this moment is in the position that is read after it.
    const at = performance.now();
    try {
      this.#client ??= await openSession(this.#options.primaryUrl, CHECK_SESSION);
      this.#primary.add(await readPrimaryState(this.#client), at);
    } catch {
      await this.#closeClient();
    }
  }

  async #checkOne(replica: Replica): Promise<void> {
    // A read can fail after the service was closed. The check would open connections again.
    if (this.#closing.signal.aborted) return;
    await replica.check(this.#primary);
    if (!this.#closing.signal.aborted) this.#tell(replica);
  }

  /** Logs that a replica has left or returned. */
  #tell(replica: Replica): void {
    const { name, fault, lagMs } = replica;
    const state = this.#isInUse(replica) ? undefined : (fault ?? 'lags behind the bound of REPLICA_LAG_MS.');
    if (this.#told.has(replica) && this.#told.get(replica) === state) return;
    this.#told.set(replica, state);
    const { log } = this.#options;
    if (state === undefined) log.info(`The replica ${name} is read.`);
    else log.warn({ lagMs: lagMs && Math.round(lagMs) }, `The replica ${name} is not read: it ${state}`);
  }

  async #closeClient(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}
