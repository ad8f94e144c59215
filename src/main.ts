import pino from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { loadDemo } from './demo/load-demo.ts';
import { bootstrap } from './domain/organizations/index.ts';
import { openDataDir } from './platform/data-dir/open-data-dir.ts';
import { secretKey } from './platform/data-dir/secret-key.ts';
import { startEmbeddedPostgres } from './platform/database/embedded.ts';
import { waitForDatabase } from './platform/database/wait-for-database.ts';
import { startTracing } from './platform/signals/start-tracing.ts';
import { type Opened, runProcess } from './run-process.ts';
import { welcome } from './welcome.ts';

type DataDir = Awaited<ReturnType<typeof openDataDir>>;

async function start(config: Config, opened: Opened): Promise<void> {
  const log = pino({ level: config.logLevel, base: undefined });
  opened(await startTracing(process.env));
  const dataDir = await openDataDir(config.dataDir);
  opened(() => dataDir.close());
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(dataDir, log, opened));
  await waitForDatabase(databaseUrl, log);
  const key = config.secretKey ?? (await secretKey(dataDir));
  const app = await createApp({ config, databaseUrl, secretKey: key, log, opensLater: true });
  opened(() => app.close());
  // Before anything is made: a taken port must not swallow the token, which is shown only once.
  const port = await app.listen();
  const first = await bootstrap(app.services, {
    token: config.bootstrapToken,
    fill: config.demo ? (db, made) => loadDemo(app.services, db, made) : undefined,
  });
  app.open();
  process.stdout.write(welcome(config, port, first));
}

async function startEmbedded(dataDir: DataDir, log: pino.Logger, opened: Opened): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (message) => log.info(message) });
  opened(() => postgres.stop());
  return postgres.url;
}

await runProcess(start);
