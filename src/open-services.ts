import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { connect } from './database.ts';
import { openFiles, signedFilesOf } from './file-storage.ts';
import { backfills, eventConsumers, jobs as kindsOfJobs } from './jobs.ts';
import type { Closing } from './lib/closing.ts';
import type { Services } from './platform/context/services.ts';
import type { DatabaseConnection } from './platform/database/database.ts';
import { sharesSessions } from './platform/database/pooler.ts';
import { Replicas } from './platform/database/replicas/replicas.ts';
import { DiskWatch, type WatchedDirectories } from './platform/disk/disk-watch.ts';
import { registerEventConsumers } from './platform/events/event-consumer.ts';
import { makeEventSignal } from './platform/events/event-signal.ts';
import { repairEventOrder } from './platform/events/repair-event-order.ts';
import { makeHeavyWork } from './platform/heavy-work/heavy-work.ts';
import { type OpenJobQueue, openJobQueue } from './platform/jobs/job-queue.ts';
import { makeMailer } from './platform/mail/mailer.ts';
import { type Dns, makeDns } from './platform/outbound/dns.ts';
import { makeGuardedFetch } from './platform/outbound/guarded-fetch.ts';
import { CostAllowance } from './platform/query-cost/cost-allowance.ts';
import { makeQuerySlots } from './platform/query-cost/query-slots.ts';
import { watchedStorage } from './platform/storage/watched-storage.ts';
import { makeMetrics } from './platform/telemetry/metrics.ts';
import { observeJob } from './platform/telemetry/observe-job.ts';
import { observeStatements } from './platform/telemetry/observe-statements.ts';
import { prepareDatabase } from './prepare-database.ts';
import { keyLocation } from './secret-keys.ts';

/** What the services of a process are opened with. */
export interface ServiceOptions {
  config: Config;
  databaseUrl: string;
  /** `databaseUrl` leads to a pooler in transaction mode. Found out by default. */
  sharesSessions?: boolean;
  secretKey: string;
  /** The previous key, while `secretKey` replaces it. */
  previousKey?: string | undefined;
  log: Logger;
  /** The current time, for tests. */
  clock?: () => Date;
  /** Reads records of the domain name system, for tests. */
  dns?: Dns;
  /** The database has been migrated by the process that started this one. */
  isMigrated?: boolean;
  /** Whether migrations run that the former version cannot run with. By default, if no other session is connected. */
  runsLateMigrations?: boolean;
  /** The database has its files in the data directory. */
  isEmbedded?: boolean;
}

interface OpenedServices {
  services: Services;
  connection: DatabaseConnection;
  /** Does not run jobs yet. */
  jobs: OpenJobQueue;
}

/** The addresses of the database. */
interface Addresses {
  databaseUrl: string;
  /** For what needs a session of its own. */
  directUrl: string;
  /** `databaseUrl` leads to a pooler that shares sessions. */
  isShared: boolean;
}

/** Opens what operations use, and migrates the database. What is opened is added to `closing` at once. */
export async function openServices(options: ServiceOptions, closing: Closing): Promise<OpenedServices> {
  const { config, databaseUrl, secretKey, previousKey, log, clock = () => new Date() } = options;
  const addresses = {
    databaseUrl,
    directUrl: config.databaseDirectUrl ?? databaseUrl,
    isShared: options.sharesSessions ?? (!options.isEmbedded && (await sharesSessions(databaseUrl))),
  };
  const files = await openFiles(config);
  closing.add(() => files.close());
  const signedFiles = await signedFilesOf(config, files);
  if (!options.isMigrated) await prepare(options, addresses);

  const { connection, replicas } = await openDatabases(config, addresses, { log, closing });
  const disk = new DiskWatch({ directories: watchedDirectories(options), minFreeBytes: config.diskReserveBytes, log });
  closing.add(() => disk.stop());
  await disk.look();
  const metrics = makeMetrics(connection, { disk, replicas, backfills });
  connection.observe(observeStatements(metrics));
  replicas.observe(observeStatements(metrics));

  await repairEventOrder(connection.orm.em);
  await registerEventConsumers(connection.db, eventConsumers);
  await replicas.start();

  const fetch = makeGuardedFetch({
    timeoutMs: config.fetchTimeoutMs,
    ...(config.allowPrivateNetwork && { allows: () => true }),
  });
  closing.add(() => fetch.close());
  const mailer = config.smtpUrl === undefined ? undefined : makeMailer(config.smtpUrl, config.mailFrom);
  closing.add(() => mailer?.close());
  const heavyWork = makeHeavyWork(metrics.heavyWork, log);
  closing.add(() => heavyWork.close());
  const eventSignal = makeEventSignal(addresses.isShared ? config.databaseDirectUrl : databaseUrl, connection.db, log);
  closing.add(() => eventSignal.close());
  // Last, so that it closes first: running jobs return to the queue before what they use ends.
  const jobs = await openJobQueue({
    databaseUrl: addresses.directUrl,
    jobs: kindsOfJobs.map((job) => observeJob(job, metrics)),
    works: config.workers,
    log,
  });
  closing.add(() => jobs.close());

  const services: Services = {
    config,
    secretKeys: { current: secretKey, previous: previousKey },
    em: connection.orm.em,
    db: connection.db,
    replicas,
    storage: watchedStorage(files.storage, disk),
    signedFiles,
    disk,
    eventSignal,
    jobs,
    fetch,
    dns: options.dns ?? makeDns(),
    mailer,
    heavyWork,
    log,
    metrics,
    slots: makeQuerySlots(),
    costs: config.queryCostPerMinute > 0 ? new CostAllowance(config.queryCostPerMinute, clock) : undefined,
    clock,
  };
  return { services, connection, jobs };
}

/** Migrates the database, unless its secrets or files belong to another installation (`prepareDatabase`). */
async function prepare(options: ServiceOptions, { databaseUrl, directUrl, isShared }: Addresses): Promise<void> {
  const { config, secretKey, previousKey, log, runsLateMigrations: runsLate } = options;
  const keys = { current: secretKey, previous: previousKey, location: keyLocation(config) };
  const sharedUrl = isShared ? databaseUrl : undefined;
  const isRotating = await prepareDatabase(directUrl, keys, { config, sharedUrl, log, runsLate });
  if (isRotating) log.warn('the secret key is being replaced: run `npm run rotate-key` when all processes have it');
}

/** Opens the database, and its replicas, which are not used before `start()`. */
async function openDatabases(
  config: Config,
  { databaseUrl, directUrl, isShared }: Addresses,
  { log, closing }: { log: Logger; closing: Closing },
): Promise<{ connection: DatabaseConnection; replicas: Replicas }> {
  const limits = {
    acquireTimeoutMs: config.databasePoolTimeoutMs,
    statementTimeoutMs: config.statementTimeoutMs,
  };
  const connection = await connect(databaseUrl, { ...limits, poolSize: config.databasePool, sharesSessions: isShared });
  closing.add(() => connection.close());
  const replicas = new Replicas({
    ...limits,
    urls: config.databaseReplicas,
    primaryUrl: directUrl,
    lagMs: config.replicaLagMs,
    poolSize: config.databaseReplicaPool,
    log,
  });
  closing.add(() => replicas.close());
  return { connection, replicas };
}

function watchedDirectories({ config, isEmbedded = false }: ServiceOptions): WatchedDirectories {
  return {
    ...(isEmbedded && { database: config.dataDir }),
    ...(config.storage.kind === 'directory' && { files: config.storage.path }),
  };
}
