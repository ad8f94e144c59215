import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type App, createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { loadDemo } from '../demo/load-demo.ts';
import { bootstrap } from '../domain/people/organizations/index.ts';
import { makeSignInLink } from '../domain/people/sessions/index.ts';
import { tableNames } from '../entities.ts';
import { announce, type FirstStart, isOutputLogged, saveToken } from '../first-start.ts';
import { makeLog } from '../make-log.ts';
import { openDataDir } from '../platform/data-dir/open-data-dir.ts';
import { KEY_FILE } from '../platform/data-dir/secret-key.ts';
import { explainingFaults } from '../platform/database/database-faults.ts';
import { clusterFiles } from '../platform/database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded/start-embedded-postgres.ts';
import { databaseOf } from '../platform/database/tables.ts';
import { waitForDatabase } from '../platform/database/wait-for-database.ts';
import { addressFault, whyNotListening } from '../platform/http/address-fault.ts';
import { addUpMetrics } from '../platform/telemetry/cluster-metrics.ts';
import { startTracing } from '../platform/telemetry/start-tracing.ts';
import { type RegisterClose, runProcess } from '../run-process.ts';
import { type Inherited, onceDraining, readInherited, startServers } from '../run-servers.ts';
import { findOrCreateKeys } from '../secret-keys.ts';

type DataDir = Awaited<ReturnType<typeof openDataDir>>;

async function start(config: Config, opened: RegisterClose): Promise<void> {
  const inherit = readInherited();
  if (inherit) return serve(config, inherit, opened);
  const log = makeLog(config.logLevel);
  // Checked before the database is created and a token is shown, which happens only once.
  const fault = await addressFault(config);
  if (fault !== undefined) throw new Error(fault);
  if (config.concurrency === 1) opened(await startTracing(process.env));
  const dataDir = await openDataDir(config.dataDir);
  opened(() => dataDir.close());
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(config, { dataDir, log, opened }));
  await waitForDatabase(databaseUrl, log);
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const { current: secretKey, previous: previousKey } = await findOrCreateKeys(config, directUrl);
  const run = config.concurrency === 1 ? serveAlone : serveTogether;
  const { port, first } = await run(config, { databaseUrl, secretKey, previousKey, dataDir, log, opened });
  announce(config, { port, first, log, dataDir: dataDir.path });
}

interface Started {
  port: number;
  first: FirstStart | undefined;
}

interface Parts extends Inherited {
  dataDir: DataDir;
  log: Logger;
  opened: RegisterClose;
}

/** Serves in this process. */
async function serveAlone(config: Config, { dataDir, opened, ...options }: Parts): Promise<Started> {
  const app = await explainingFaults(options.databaseUrl, tableNames, () =>
    createApp({ config, ...options, isEmbedded: isEmbedded(config), opensLater: true }),
  );
  opened((delayMs) => stop(app, delayMs));
  const port = await listen(app, config);
  const first = await createFirst(app, config, dataDir);
  app.open();
  return { port, first };
}

/** Prepares the database in this process, and serves in others. */
async function serveTogether(config: Config, { dataDir, opened, log, ...inherit }: Parts): Promise<Started> {
  const app = await explainingFaults(inherit.databaseUrl, tableNames, () =>
    createApp({ config: { ...config, workers: false }, ...inherit, log }),
  );
  const first = await createFirst(app, config, dataDir).finally(() => app.close());
  addUpMetrics();
  const onFailure = (error: Error) => {
    log.fatal({ err: error }, error.message);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  };
  const servers = startServers(config.concurrency, { inherit, log, onFailure });
  opened((delayMs) => servers.stop(delayMs));
  return { port: await servers.port, first };
}

/** A server process that another process started. */
async function serve(config: Config, inherit: Inherited, opened: RegisterClose): Promise<void> {
  opened(await startTracing(process.env));
  const app = await createApp({
    config,
    ...inherit,
    log: makeLog(config.logLevel),
    isEmbedded: isEmbedded(config),
    isMigrated: true,
  });
  opened((delayMs) => stop(app, delayMs));
  onceDraining((delayMs) => app.drain(delayMs));
  await listen(app, config);
}

async function stop(app: App, delayMs: number): Promise<void> {
  await app.drain(delayMs);
  await app.close();
}

const isEmbedded = ({ databaseUrl }: Config) => databaseUrl === undefined;

const listen = (app: App, config: Config): Promise<number> =>
  app.listen().catch((error: unknown) => {
    throw whyNotListening(error, config);
  });

async function createFirst(app: App, config: Config, dataDir: DataDir): Promise<FirstStart | undefined> {
  let signInPath: string | undefined;
  const result = await bootstrap(app.services, {
    token: config.bootstrapToken,
    email: config.bootstrapEmail,
    fill: async (em, created) => {
      if (config.demo) await loadDemo(app.services, em, created);
      await saveToken(config, dataDir.path, created.token);
      if (isOutputLogged(config)) return;
      signInPath = await makeSignInLink(databaseOf(em), { userId: created.userId, now: app.services.clock() });
    },
  });
  return result && { ...result, signInPath };
}

/** Connections of a process beside its pool: of its job queue, for events, and to cancel statements. */
const BESIDE_POOL = 8;

async function startEmbedded(
  { diskReserveBytes: reserveBytes, concurrency, databasePool }: Config,
  { dataDir, log, opened }: Pick<Parts, 'dataDir' | 'log' | 'opened'>,
): Promise<string> {
  refuseWithoutDatabase(dataDir);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    reserveBytes,
    connections: concurrency * (databasePool + BESIDE_POOL),
    log: (message, level = 'info') => log[level](message),
  });
  opened(() => postgres.stop());
  return postgres.url;
}

/** The first start makes the database before the key: if there is only a key, the database was lost or not restored. */
function refuseWithoutDatabase({ path }: DataDir): void {
  const file = join(path, KEY_FILE);
  if (existsSync(clusterFiles({ path })) || !existsSync(file)) return;
  throw new Error(
    `The data directory ${path} has a secret key but no database. Restore the database of this key: the folder ${join(path, 'postgres')}, or a backup with \`npm run restore -- FILE\`. If the database is on a server, set DATABASE_URL. For a new service, move ${file} away.`,
  );
}

await runProcess(start);
// A process that is killed would not write what it has compiled.
flushCompileCache();
