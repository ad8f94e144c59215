import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { loadDemo } from './demo/load-demo.ts';
import { bootstrap } from './domain/people/organizations/index.ts';
import { makeLog } from './make-log.ts';
import { openDataDir } from './platform/data-dir/open-data-dir.ts';
import { secretKey } from './platform/data-dir/secret-key.ts';
import { startEmbeddedPostgres } from './platform/database/embedded.ts';
import { waitForDatabase } from './platform/database/wait-for-database.ts';
import { addressFault, whyNotListening } from './platform/http/address-fault.ts';
import { startTracing } from './platform/telemetry/start-tracing.ts';
import { type Opened, runProcess } from './run-process.ts';
import { announce, keepToken } from './welcome.ts';

type DataDir = Awaited<ReturnType<typeof openDataDir>>;

async function start(config: Config, opened: Opened): Promise<void> {
  const log = makeLog(config.logLevel);
  // Checked before the database is created and a token is shown, which happens only once.
  const fault = await addressFault(config);
  if (fault !== undefined) throw new Error(fault);
  opened(await startTracing(process.env));
  const dataDir = await openDataDir(config.dataDir);
  opened(() => dataDir.close());
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(dataDir, log, opened));
  await waitForDatabase(databaseUrl, log);
  const key = config.secretKey ?? (await secretKey(dataDir));
  const app = await createApp({ config, databaseUrl, secretKey: key, log, opensLater: true });
  opened(() => app.close());
  const port = await app.listen().catch((error: unknown) => {
    throw whyNotListening(error, config);
  });
  const first = await bootstrap(app.services, {
    token: config.bootstrapToken,
    email: config.bootstrapEmail,
    fill: async (em, made) => {
      if (config.demo) await loadDemo(app.services, em, made);
      await keepToken(config, dataDir.path, made.token);
    },
  });
  app.open();
  announce(config, { port, first, log, dataDir: dataDir.path });
}

async function startEmbedded(dataDir: DataDir, log: Logger, opened: Opened): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (message, level = 'info') => log[level](message) });
  opened(() => postgres.stop());
  return postgres.url;
}

await runProcess(start);
