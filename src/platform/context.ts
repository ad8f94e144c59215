import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Actor } from './access/actor.ts';
import { metered, type StatementMeter } from './database/statements.ts';
import { type Database, databaseOf } from './database/tables.ts';
import type { DiskWatch } from './disk/disk-watch.ts';
import type { EventSignal } from './events/event-signal.ts';
import type { ExpectedVersion } from './expected-version.ts';
import type { HeavyWork } from './heavy-work/heavy-work.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Dns } from './outbound/dns.ts';
import type { GuardedFetch } from './outbound/guarded-fetch.ts';
import type { Allowance } from './rate-limit/allowance.ts';
import type { CostAllowance } from './rate-limit/cost-allowance.ts';
import type { QuerySlots } from './rate-limit/query-slots.ts';
import type { SecretKeys } from './secrets.ts';
import type { Storage } from './storage/storage.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { RequestDeadline } from './work.ts';

/** Services of the process, shared by all requests. */
export interface Services {
  readonly config: Config;
  /** Keys that encrypt secrets and sign cursors and URLs. */
  readonly secretKeys: SecretKeys;
  /** The entity manager from which those of requests are forked. It holds no entities. */
  readonly em: EntityManager;
  /** The query builder over the pool. */
  readonly db: Database;
  readonly storage: Storage;
  /** Knows whether the disks are full. */
  readonly disk: DiskWatch;
  /** Notifies waiting readers of new events. */
  readonly eventSignal: EventSignal;
  /** The queue for background jobs. */
  readonly jobs: JobQueue;
  /** Sends all outbound requests. */
  readonly fetch: GuardedFetch;
  /** Reads records of the domain name system. */
  readonly dns: Dns;
  /** Sends emails. Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  /** Scheduler for work that would block the event loop or takes much memory. */
  readonly heavyWork: HeavyWork;
  /** Slots for operations that read hundreds of objects. */
  readonly slots: QuerySlots;
  /** Limits the cost of all reads of a caller. Undefined without a limit. */
  readonly costs: CostAllowance | undefined;
  readonly log: FastifyBaseLogger;
  /** Metrics of this process. */
  readonly metrics: Metrics;
  /** The current time. Tests change it. */
  readonly clock: () => Date;
}

/** One request: its caller and its database session. First parameter of all functions that act for a caller. */
export interface Context extends Session {
  readonly actor: Actor;
  readonly services: Services;
  readonly requestId: string;
  readonly log: FastifyBaseLogger;
  /** Cancellation of the request. Undefined in jobs. */
  readonly work?: RequestDeadline;
  /** Client address for limits. Undefined in jobs. */
  readonly address?: string;
  /** Remaining requests in the current minute. Undefined if requests are not counted. */
  readonly allowance?: Allowance | undefined;
  /** Cost (`cost.ts`) and name of the graph operation. Set before the operation runs. */
  readonly query?: { cost: number; operation?: string };
  /** For subscriptions: the signal that ends the stream, and the id of the last event that the client has received. */
  readonly stream?: { readonly signal: AbortSignal; readonly lastEventId?: string };
  /** True inside a command. */
  readonly inTransaction: boolean;
  /** Callbacks that run after the commit of a command. They must not throw. Undefined outside of commands. */
  readonly afterCommit?: (() => void)[];
  /** Callbacks that run at the end of the scope (`atEnd`). Undefined outside of commands and `withCleanup`. */
  readonly atEnd?: (() => void | Promise<void>)[];
  /** The version that the request expects of its target. Undefined outside of commands. */
  readonly expected?: ExpectedVersion | undefined;
}

/** The database connection of a request: the pool, or the transaction inside of a command. */
export interface Session {
  /**
   * The entity manager of the transaction, whose unit of work writes the settings that commands change. Outside of
   * transactions, it is the one of the process, which manages no entities: loaders read them without a unit of work
   * (`entity-loader.ts`).
   */
  readonly em: EntityManager;
  /** The request's query builder. */
  readonly db: Database;
  /** Counts the statements of `db`, if the response contains the count. */
  readonly meter?: StatementMeter | undefined;
}

/** The session of a request outside of transactions. */
export const sessionOutside = ({ em, db }: Pick<Services, 'em' | 'db'>, meter?: StatementMeter): Session => ({
  em,
  db: metered(db, meter),
  meter,
});

/** The session of an entity manager: of its transaction, if it is in one. */
export const sessionOf = (em: EntityManager, meter?: StatementMeter): Session => ({
  em,
  db: metered(databaseOf(em), meter),
  meter,
});

/** The current time in ISO 8601, as it is stored and returned. */
export const nowOf = (ctx: Context) => ctx.services.clock().toISOString();
