import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import webDocuments from '../web/persisted-queries.json' with { type: 'json' };
import { placeAt } from '../web/src/addresses.ts';
import { type Config, ConfigError } from './config.ts';
import { connect } from './database.ts';
import { graphiqlTabs } from './demo/graphiql-tabs.ts';
import { describeApi } from './describe-api.ts';
import { registerBlockSource, registerComputedSource } from './domain/content/computing/index.ts';
import { registerSpecTargets } from './domain/content/links/index.ts';
import { registerPublishedUrls } from './domain/places/spaces/index.ts';
import { addTransferPrecondition } from './domain/places/transfers/index.ts';
import { siteVisitors } from './domain/publishing/audiences/index.ts';
import { isVerifiedHostname } from './domain/publishing/hostnames/index.ts';
import { siteRoutes } from './domain/publishing/reader/web.ts';
import { publishedUrlsOfSpaces } from './domain/publishing/structure/index.ts';
import { synchronizedSpaces } from './domain/sources/git/index.ts';
import { openApiBlocks, openApiPages, presentVisibleSpec } from './domain/sources/openapi/index.ts';
import { translatedPages, translatedSpaces } from './domain/sources/translations/index.ts';
import { openFiles, signedFilesOf } from './file-storage.ts';
import { backfills, eventConsumers, jobs as kindsOfJobs } from './jobs.ts';
import { registerVisitors } from './platform/access/visitors.ts';
import type { Services } from './platform/context/services.ts';
import { isMigrated } from './platform/database/migrate.ts';
import { sharesSessions } from './platform/database/pooler.ts';
import { Replicas } from './platform/database/replicas/replicas.ts';
import { DiskWatch, type WatchedDirectories } from './platform/disk/disk-watch.ts';
import { watchedStorage } from './platform/disk/watched-storage.ts';
import { registerEventConsumers, startEventConsumer } from './platform/events/event-consumer.ts';
import { makeEventSignal } from './platform/events/event-signal.ts';
import { repairEventOrder } from './platform/events/repair-event-order.ts';
import { makeRunGraphQL, type RunGraphQL } from './platform/graphql/request/run-graphql.ts';
import { parseManifest, withDocuments } from './platform/graphql/request/trusted-documents.ts';
import { makeHeavyWork } from './platform/heavy-work/heavy-work.ts';
import { registerCustomHosts } from './platform/http/custom-hosts.ts';
import { notReady, type Readiness } from './platform/http/readiness.ts';
import { makeServer } from './platform/http/server.ts';
import { Shutdown } from './platform/http/shutdown.ts';
import { makeYoga } from './platform/http/yoga.ts';
import { type OpenJobQueue, openJobQueue } from './platform/jobs/job-queue.ts';
import { makeMailer } from './platform/mail/mailer.ts';
import { type Dns, makeDns } from './platform/outbound/dns.ts';
import { makeGuardedFetch } from './platform/outbound/guarded-fetch.ts';
import { CostAllowance } from './platform/rate-limit/cost-allowance.ts';
import { QuerySlots } from './platform/rate-limit/query-slots.ts';
import { makeMetrics } from './platform/telemetry/metrics.ts';
import { observeGraphQL } from './platform/telemetry/observe-graphql.ts';
import { observeJob } from './platform/telemetry/observe-job.ts';
import { observeStatements } from './platform/telemetry/observe-statements.ts';
import { prepareDatabase } from './prepare-database.ts';
import { routes } from './routes.ts';
import { schema } from './schema.ts';
import { keptIn } from './secret-keys.ts';
import { webRoutes } from './web-routes.ts';

registerComputedSource(openApiPages);
registerComputedSource(translatedPages);
registerBlockSource(openApiBlocks);
registerPublishedUrls(publishedUrlsOfSpaces);
registerSpecTargets(presentVisibleSpec);
registerVisitors(siteVisitors);
registerCustomHosts(isVerifiedHostname);
addTransferPrecondition(synchronizedSpaces);
addTransferPrecondition(translatedSpaces);

/** Options of an application in addition to its configuration. */
export interface AppOptions {
  config: Config;
  databaseUrl: string;
  /** `databaseUrl` leads to a pooler in transaction mode. Found out by default. */
  sharesSessions?: boolean;
  secretKey: string;
  /** The key that `secretKey` replaces, while it does. */
  previousKey?: string | undefined;
  log: Logger;
  /** The current time, for tests. */
  clock?: () => Date;
  /** Reads records of the domain name system, for tests. */
  dns?: Dns;
  /** Wraps the execution of GraphQL, for tests. */
  aroundGraphQL?: (run: RunGraphQL) => RunGraphQL;
  /** Not ready until `open` is called, after further initialization. */
  opensLater?: boolean;
  /** The database has been migrated by the process that started this one. */
  isMigrated?: boolean;
  /** Whether migrations run that the former version cannot run with. By default, if no other session is connected. */
  runsLateMigrations?: boolean;
  /** The database has its files in the data directory. */
  isEmbedded?: boolean;
  /** Number of uses after which a GraphQL operation is compiled. */
  compileFrom?: number;
}

/** The service in one process. `close` waits for running requests and releases all resources. */
export interface App {
  services: Services;
  /** Starts listening and returns the port. */
  listen(): Promise<number>;
  /** Marks the application as ready. Only needed with `opensLater`. */
  open(): void;
  /**
   * Marks the application as not ready, and accepts connections for `delayMs` more and until none arrives. Without it,
   * `close` resets connections that wait to be accepted.
   */
  drain(delayMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens and migrates the database, unless its secrets are encrypted with another key, and creates the server, which does not listen yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const {
    config,
    databaseUrl,
    secretKey,
    previousKey,
    log,
    clock,
    aroundGraphQL = (run) => run,
    compileFrom = 2,
  } = options;
  /** For what needs a session of its own. */
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const isShared = options.sharesSessions ?? (!options.isEmbedded && (await sharesSessions(databaseUrl)));
  const documents = withDocuments(await trustedDocuments(config), webDocuments);
  const opened = await openFiles(config);
  const signedFiles = await signedFilesOf(config, opened);
  const secretKeys = { current: secretKey, previous: previousKey };
  if (!options.isMigrated) {
    const keys = { ...secretKeys, keptIn: keptIn(config) };
    const isRotating = await prepareDatabase(directUrl, keys, {
      config,
      sharedUrl: isShared ? databaseUrl : undefined,
      log,
      runsLate: options.runsLateMigrations,
    });
    if (isRotating) log.warn('the secret key is being replaced: run `npm run rotate-key` when all processes have it');
  }
  const connection = await connect(databaseUrl, {
    poolSize: config.databasePool,
    acquireTimeoutMs: config.databasePoolTimeoutMs,
    statementTimeoutMs: config.statementTimeoutMs,
    sharesSessions: isShared,
  });
  const disk = new DiskWatch({ directories: watchedDirectories(options), minFreeBytes: config.diskReserveBytes, log });
  await disk.look();
  const replicas = new Replicas({
    urls: config.databaseReplicas,
    primaryUrl: directUrl,
    lagMs: config.replicaLagMs,
    poolSize: config.databaseReplicaPool,
    acquireTimeoutMs: config.databasePoolTimeoutMs,
    statementTimeoutMs: config.statementTimeoutMs,
    log,
  });
  const metrics = makeMetrics(connection, { disk, replicas, backfills });
  connection.observe(observeStatements(metrics));
  replicas.observe(observeStatements(metrics));
  let jobs: OpenJobQueue;
  try {
    await repairEventOrder(connection.orm.em);
    await registerEventConsumers(connection.db, eventConsumers);
    jobs = await openJobQueue({
      databaseUrl: directUrl,
      jobs: kindsOfJobs.map((job) => observeJob(job, metrics)),
      works: config.workers,
      log,
    });
  } catch (error) {
    disk.stop();
    await connection.close();
    throw error;
  }
  await replicas.start();
  const fetch = makeGuardedFetch({
    timeoutMs: config.fetchTimeoutMs,
    ...(config.allowPrivateNetwork && { allows: () => true }),
  });
  const mailer = config.smtpUrl === undefined ? undefined : makeMailer(config.smtpUrl, config.mailFrom);
  const heavyWork = makeHeavyWork(metrics.heavyWork, log);
  const listensAt = isShared ? config.databaseDirectUrl : databaseUrl;
  const eventSignal = makeEventSignal(listensAt, connection.db, log);
  const now = clock ?? (() => new Date());
  const services: Services = {
    config,
    secretKeys,
    em: connection.orm.em,
    db: connection.db,
    replicas,
    storage: watchedStorage(opened.storage, disk),
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
    slots: new QuerySlots(),
    costs: config.queryCostPerMinute > 0 ? new CostAllowance(config.queryCostPerMinute, now) : undefined,
    clock: now,
  };
  if (config.workers) await jobs.work(services);
  const consumers = config.workers ? eventConsumers.map((consumer) => startEventConsumer(services, consumer)) : [];
  let isOpen = !options.opensLater;
  const readiness = async (): Promise<Readiness> => {
    if (shutdown.hasBegun) return notReady('The service is stopping.');
    if (!isOpen) return notReady('The service is starting.');
    // Changes no row, and fails on a read-only server: its connections are then replaced.
    await sql`update event_consumer set name = name where false`.execute(connection.db);
    if (!(await isMigrated(connection))) return notReady('The database is not migrated.');
    return { isReady: true, reason: disk.fault };
  };
  const runGraphQL = makeRunGraphQL(schema, {
    maxCost: config.maxQueryCost,
    compileFrom: config.graphqlJit ? compileFrom : Number.POSITIVE_INFINITY,
  });
  const shutdown = new Shutdown();
  const server = makeServer({
    services,
    routes,
    webApp: { hasAddress: (path) => placeAt(path) !== undefined },
    webRoutes: [...webRoutes, ...siteRoutes(config)],
    describe: () => describeApi(config),
    yoga: makeYoga(observeGraphQL(aroundGraphQL(runGraphQL), metrics, documents), documents),
    graphiqlTabs,
    shutdown,
    readiness,
  });

  return {
    services,
    open() {
      isOpen = true;
    },
    async listen() {
      // Fastify logs the address, which `announce` tells.
      const { level } = server.log;
      if (level === 'info') server.log.level = 'warn';
      await server.listen({ port: config.port, host: config.host }).finally(() => {
        server.log.level = level;
      });
      const address = server.server.address();
      return typeof address === 'object' && address !== null ? address.port : config.port;
    },
    drain: (delayMs) => shutdown.drain(delayMs),
    async close() {
      await Promise.all([server.close(), jobs.stopWorking(), ...consumers.map((consumer) => consumer.stop())]);
      await jobs.close();
      await eventSignal.close();
      mailer?.close();
      await fetch.close();
      await heavyWork.close();
      await replicas.close();
      await connection.close();
      disk.stop();
      opened.close();
    },
  };
}

function watchedDirectories({ config, isEmbedded = false }: AppOptions): WatchedDirectories {
  return {
    ...(isEmbedded && { database: config.dataDir }),
    ...(config.storage.kind === 'directory' && { files: config.storage.path }),
  };
}

async function trustedDocuments({ trustedDocuments: path, trustedDocumentsOnly: isOnly }: Config) {
  if (path === undefined) return { byId: new Map(), isOnly };
  try {
    return parseManifest(await readFile(path, 'utf8'), schema, { isOnly });
  } catch (error) {
    throw new ConfigError(`TRUSTED_DOCUMENTS: ${path} cannot be used.\n${error instanceof Error ? error.message : ''}`);
  }
}
