import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Actor } from './access/actor.ts';
import type { Database } from './database/tables.ts';
import type { EventSignal } from './events/event-signal.ts';
import type { ExpectedVersion } from './expected-version.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { GuardedFetch } from './outbound/guarded-fetch.ts';
import type { Allowance } from './rate-limit/allowance.ts';
import type { Metrics } from './signals/metrics.ts';
import type { Storage } from './storage/storage.ts';
import type { ThreadPool } from './threads/thread-pool.ts';
import type { Work } from './work.ts';

/** What lives as long as the process, and is shared by all requests. */
export interface Services {
  readonly config: Config;
  /** Signs cursors and addresses. */
  readonly secretKey: string;
  readonly db: Database;
  readonly storage: Storage;
  /** Wakes whoever waits for events. */
  readonly eventSignal: EventSignal;
  /** Background work. */
  readonly jobs: JobQueue;
  /** The one way out: every outbound request goes through it. */
  readonly fetch: GuardedFetch;
  /** Where work goes that would hold the event loop. */
  readonly threads: ThreadPool;
  readonly log: FastifyBaseLogger;
  /** What operators see of this process. */
  readonly metrics: Metrics;
  /** The present time; tests move it. */
  readonly clock: () => Date;
}

/** One request: who asks, and through which connection its statements go. Everything that acts takes it first. */
export interface Context {
  readonly actor: Actor;
  /** The pool, or inside a command its transaction. */
  readonly db: Database;
  readonly services: Services;
  readonly requestId: string;
  readonly log: FastifyBaseLogger;
  /** What ends the request before it is done; none where nobody waits, as in jobs. */
  readonly work?: Work;
  /** What the caller may still ask for in this minute; none where nothing is counted. */
  readonly allowance?: Allowance | undefined;
  /** What the operation of the graph costs (`cost.ts`) and its name where it has one, noted before it runs. */
  readonly query?: { cost: number; operation?: string };
  /** Where answers are sent as they come to be: what ends that, and the last event that the client has seen. */
  readonly stream?: { readonly signal: AbortSignal; readonly lastEventId?: string };
  /** True inside a command. */
  readonly inTransaction: boolean;
  /** What a command adds here happens once it has committed; it must not throw. There inside a command only. */
  readonly afterCommit?: (() => void)[];
  /** The version that the request expects its target in. There inside a command only. */
  readonly expected?: ExpectedVersion | undefined;
}

/** The present time as the text that is stored and shown. */
export const nowOf = (ctx: Context) => ctx.services.clock().toISOString();
