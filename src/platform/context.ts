import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Actor } from './access/actor.ts';
import { metered, type StatementMeter } from './database/statements.ts';
import { type Database, databaseOf } from './database/tables.ts';
import type { EventSignal } from './events/event-signal.ts';
import type { ExpectedVersion } from './expected-version.ts';
import type { HeavyWork } from './heavy-work/heavy-work.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { GuardedFetch } from './outbound/guarded-fetch.ts';
import type { Allowance } from './rate-limit/allowance.ts';
import type { Storage } from './storage/storage.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { Work } from './work.ts';

/** What lives as long as the process, and is shared by all requests. */
export interface Services {
  readonly config: Config;
  /** Signs cursors and addresses. */
  readonly secretKey: string;
  /** The entity manager that those of requests are forked from; it holds no entities. */
  readonly em: EntityManager;
  /** The query builder of the pool. */
  readonly db: Database;
  readonly storage: Storage;
  /** Wakes whoever waits for events. */
  readonly eventSignal: EventSignal;
  /** Background work. */
  readonly jobs: JobQueue;
  /** The one way out: every outbound request goes through it. */
  readonly fetch: GuardedFetch;
  /** Where work goes that would hold the event loop, or takes much memory. */
  readonly heavyWork: HeavyWork;
  readonly log: FastifyBaseLogger;
  /** What operators see of this process. */
  readonly metrics: Metrics;
  /** The present time; tests move it. */
  readonly clock: () => Date;
}

/** One request: who asks, and through which connection its statements go. Everything that acts takes it first. */
export interface Context extends Session {
  readonly actor: Actor;
  readonly services: Services;
  readonly requestId: string;
  readonly log: FastifyBaseLogger;
  /** What ends the request before it is done; none where nobody waits, as in jobs. */
  readonly work?: Work;
  /** Where the request came from, as limits count it; none where there is no request, as in jobs. */
  readonly address?: string;
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
  /** Lets go of what was opened, at the end of the scope (`atEnd`). There inside commands and `inScope` only. */
  readonly atEnd?: (() => void | Promise<void>)[];
  /** The version that the request expects its target in. There inside a command only. */
  readonly expected?: ExpectedVersion | undefined;
}

/** What a request's statements go through: the pool, or inside a command its transaction. */
export interface Session {
  /** The request's entity manager. Commands that change settings load entities, everything else reads rows, which is faster. */
  readonly em: EntityManager;
  /** Its query builder. */
  readonly db: Database;
  /** Counts the statements of `db`, where the answer tells them. */
  readonly meter?: StatementMeter | undefined;
}

/** The session of an entity manager: a fork of the service's outside of a transaction, or one that is in one. */
export const sessionOf = (em: EntityManager, meter?: StatementMeter): Session => ({
  em,
  db: metered(databaseOf(em), meter),
  meter,
});

/** The present time as the text that is stored and shown. */
export const nowOf = (ctx: Context) => ctx.services.clock().toISOString();
