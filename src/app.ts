import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import webDocuments from '../web/persisted-queries.json' with { type: 'json' };
import { placeAt } from '../web/src/addresses.ts';
import { type Config, ConfigError } from './config.ts';
import { graphiqlTabs } from './demo/graphiql-tabs.ts';
import { describeApi } from './describe-api.ts';
import { registerBlockSource, registerComputedSource } from './domain/content/computed-sources/index.ts';
import { registerSpecTargets } from './domain/content/links/index.ts';
import { assertCredential } from './domain/people/access/index.ts';
import { addBeforeRemoval, registerPublishedUrls } from './domain/places/spaces/index.ts';
import { addTransferPrecondition } from './domain/places/transfers/index.ts';
import { siteVisitors } from './domain/publishing/audiences/index.ts';
import { isVerifiedHostname } from './domain/publishing/hostnames/index.ts';
import { publishedSiteRoutes } from './domain/publishing/reader/web.ts';
import { publishedUrlsOfSpaces, removeFromSites } from './domain/publishing/structure/index.ts';
import { synchronizedSpaces } from './domain/sources/git/index.ts';
import { openApiBlocks, openApiPages, presentVisibleSpec } from './domain/sources/openapi/index.ts';
import { translatedPages, translatedSpaces } from './domain/sources/translations/index.ts';
import { eventConsumers } from './jobs.ts';
import { Closing } from './lib/closing.ts';
import { openServices, type ServiceOptions } from './open-services.ts';
import { registerVisitors } from './platform/access/visitors.ts';
import type { Services } from './platform/context/services.ts';
import { isMigrated } from './platform/database/migrate.ts';
import { type StartedConsumer, startEventConsumer } from './platform/events/event-consumer.ts';
import { makeRunGraphQL, type RunGraphQL } from './platform/graphql/request/run-graphql.ts';
import { parseDocumentManifest, withDocuments } from './platform/graphql/request/trusted-documents.ts';
import { registerCustomHosts } from './platform/http/custom-hosts.ts';
import { notReady, type Readiness } from './platform/http/readiness.ts';
import { makeServer } from './platform/http/server.ts';
import { Shutdown } from './platform/http/shutdown.ts';
import { makeYoga } from './platform/http/yoga.ts';
import { loggable } from './platform/log/loggable.ts';
import { registerCredentialCheck } from './platform/operation/credential-check.ts';
import { observeGraphQL } from './platform/telemetry/observe-graphql.ts';
import { routes } from './routes.ts';
import { schema } from './schema.ts';
import { webRoutes } from './web-routes.ts';

registerComputedSource(openApiPages);
registerComputedSource(translatedPages);
registerBlockSource(openApiBlocks);
registerPublishedUrls(publishedUrlsOfSpaces);
addBeforeRemoval(removeFromSites);
registerSpecTargets(presentVisibleSpec);
registerCredentialCheck(assertCredential);
registerVisitors(siteVisitors);
registerCustomHosts(isVerifiedHostname);
addTransferPrecondition(synchronizedSpaces);
addTransferPrecondition(translatedSpaces);

/** Options of an application in addition to its configuration. */
export interface AppOptions extends ServiceOptions {
  /** Wraps the execution of GraphQL, for tests. */
  aroundGraphQL?: (run: RunGraphQL) => RunGraphQL;
  /** Not ready until `open` is called, after further initialization. */
  opensLater?: boolean;
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

/**
 * Opens and migrates the database, unless its secrets are encrypted with another key, and creates the server, which
 * does not listen yet.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const closing = new Closing();
  try {
    return await openApp(options, closing);
  } catch (error) {
    const noteFault = (fault: unknown) => options.log.warn({ err: loggable(fault) }, 'a part could not be closed');
    await closing.close().catch(noteFault);
    throw error;
  }
}

async function openApp(options: AppOptions, closing: Closing): Promise<App> {
  const { config, aroundGraphQL = (run) => run, compileFrom = 2 } = options;
  const documents = withDocuments(await trustedDocuments(config), webDocuments);
  const { services, connection, jobs } = await openServices(options, closing);
  const shutdown = new Shutdown();
  let isOpen = !options.opensLater;
  const readiness = async (): Promise<Readiness> => {
    if (shutdown.hasBegun) return notReady('The service is stopping.');
    if (!isOpen) return notReady('The service is starting.');
    // Changes no row, and fails on a read-only server: its connections are then replaced.
    await sql`update event_consumer set name = name where false`.execute(connection.db);
    if (!(await isMigrated(connection))) return notReady('The database is not migrated.');
    return { isReady: true, reason: services.disk.fault };
  };
  const runGraphQL = makeRunGraphQL(schema, {
    maxCost: config.maxQueryCost,
    compileFrom: config.graphqlJit ? compileFrom : Number.POSITIVE_INFINITY,
  });
  const server = makeServer({
    services,
    routes,
    webApp: { hasAddress: (path) => placeAt(path) !== undefined },
    webRoutes: [...webRoutes, ...publishedSiteRoutes(config)],
    describe: () => describeApi(config),
    yoga: makeYoga(observeGraphQL(aroundGraphQL(runGraphQL), services.metrics, documents), documents),
    graphiqlTabs,
    shutdown,
    readiness,
  });
  const consumers: StartedConsumer[] = [];
  closing.add(async () => {
    const stopping = [server.close(), jobs.stopWorking(), ...consumers.map((consumer) => consumer.stop())];
    const failed = (await Promise.allSettled(stopping)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  });
  if (config.workers) {
    await jobs.work(services);
    for (const consumer of eventConsumers) consumers.push(startEventConsumer(services, consumer));
  }

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
    close: () => closing.close(),
  };
}

async function trustedDocuments({ trustedDocuments: path, trustedDocumentsOnly: isOnly }: Config) {
  if (path === undefined) return { byId: new Map(), isOnly };
  try {
    return parseDocumentManifest(await readFile(path, 'utf8'), schema, { isOnly });
  } catch (error) {
    throw new ConfigError(`TRUSTED_DOCUMENTS: ${path} cannot be used.\n${error instanceof Error ? error.message : ''}`);
  }
}
