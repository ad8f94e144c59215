import { join } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { connect, migrateDatabase } from './database.ts';
import { jobs as kindsOfJobs } from './jobs.ts';
import type { Services } from './platform/context.ts';
import { isMigrated } from './platform/database/migrate.ts';
import { makeEventSignal } from './platform/events/event-signal.ts';
import { mendOrderOfEvents } from './platform/events/mend-order.ts';
import { makeRunGraphQL, type RunGraphQL } from './platform/graphql/run-graphql.ts';
import { makeServer } from './platform/http/server.ts';
import { type JobQueue, openJobQueue } from './platform/jobs/job-queue.ts';
import { makeGuardedFetch } from './platform/outbound/guarded-fetch.ts';
import { openStorage } from './platform/storage/open-storage.ts';
import { routes } from './routes.ts';
import { schema } from './schema.ts';

/** What an application is made of, beyond its configuration. */
export interface AppOptions {
  config: Config;
  databaseUrl: string;
  secretKey: string;
  log: Logger;
  /** The present time; tests move it. */
  clock?: () => Date;
  /** Stands between the transport and the graph; tests compare executors there. */
  aroundGraphQL?: (run: RunGraphQL) => RunGraphQL;
}

/** The service in one process. `close` lets running requests end and then lets go of everything that was opened. */
export interface App {
  services: Services;
  /** Listens, and says at which port. */
  listen(): Promise<number>;
  close(): Promise<void>;
}

/** Opens the database, brings it up to date, and makes the server; it listens when told to. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, databaseUrl, secretKey, log, clock, aroundGraphQL = (run) => run } = options;
  const { storage, close: closeStorage } = await openStorage(config.storage, join(config.dataDir, 'temporary'));
  await migrateDatabase(databaseUrl);
  const connection = await connect(databaseUrl, {
    poolSize: config.databasePool,
    statementTimeoutMs: config.statementTimeoutMs,
  });
  let jobs: JobQueue;
  try {
    await mendOrderOfEvents(connection.db);
    jobs = await openJobQueue({ databaseUrl, jobs: kindsOfJobs, works: config.workers, log });
  } catch (error) {
    await connection.close();
    throw error;
  }
  const fetch = makeGuardedFetch({
    timeoutMs: config.fetchTimeoutMs,
    ...(config.allowPrivateNetwork && { allows: () => true }),
  });
  const eventSignal = makeEventSignal(databaseUrl, connection.db, log);
  const services: Services = {
    config,
    secretKey,
    db: connection.db,
    storage,
    eventSignal,
    jobs,
    fetch,
    log,
    clock: clock ?? (() => new Date()),
  };
  if (config.workers) await jobs.work(services);
  const isReady = async () => {
    await sql`select 1`.execute(connection.db);
    return isMigrated(connection);
  };
  const server = makeServer({ services, routes, runGraphQL: aroundGraphQL(makeRunGraphQL(schema)), isReady });

  return {
    services,
    async listen() {
      await server.listen({ port: config.port, host: config.host });
      const address = server.server.address();
      return typeof address === 'object' && address !== null ? address.port : config.port;
    },
    async close() {
      await Promise.all([server.close(), jobs.stopWorking()]);
      await jobs.close();
      await eventSignal.close();
      await fetch.close();
      await connection.close();
      closeStorage();
    },
  };
}
