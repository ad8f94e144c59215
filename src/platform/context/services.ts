import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Replicas } from '../database/replicas/replicas.ts';
import type { Database } from '../database/tables.ts';
import type { DiskWatch } from '../disk/disk-watch.ts';
import type { EventSignal } from '../events/event-signal.ts';
import type { FairSlots } from '../fair-shares/fair-slots.ts';
import type { HeavyWork } from '../heavy-work/heavy-work.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Dns } from '../outbound/dns.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import type { CostAllowance } from '../query-cost/cost-allowance.ts';
import type { SecretKeys } from '../secret-key/secrets.ts';
import type { SignedFiles } from '../storage/signed-files.ts';
import type { Storage } from '../storage/storage.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Services of the process, shared by all requests. */
export interface Services {
  readonly config: Config;
  /** Keys that encrypt secrets and sign cursors and URLs. */
  readonly secretKeys: SecretKeys;
  /** The entity manager from which those of requests are forked. It holds no entities. */
  readonly em: EntityManager;
  /** The query builder over the pool. */
  readonly db: Database;
  /** The replicas of the database, for reads that say so (`readStored`, `readCaughtUp`). */
  readonly replicas: Replicas;
  readonly storage: Storage;
  /** Signs URLs of files in the bucket. Undefined if files pass through the service. */
  readonly signedFiles: SignedFiles | undefined;
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
  readonly slots: FairSlots;
  /** Limits the cost of all reads of a caller. Undefined without a limit. */
  readonly costs: CostAllowance | undefined;
  readonly log: FastifyBaseLogger;
  /** Metrics of this process. */
  readonly metrics: Metrics;
  /** The current time. Tests change it. */
  readonly clock: () => Date;
}
