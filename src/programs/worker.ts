import { createApp } from '../app.ts';
import { type Config, ConfigError } from '../config.ts';
import { tableNames } from '../entities.ts';
import { makeLog } from '../make-log.ts';
import { explainingFaults } from '../platform/database/database-faults.ts';
import { waitForDatabase } from '../platform/database/wait-for-database.ts';
import { startTracing } from '../platform/telemetry/start-tracing.ts';
import { type RegisterClose, runProcess } from '../run-process.ts';

/** A process that only runs background jobs. */
async function start(config: Config, opened: RegisterClose): Promise<void> {
  const { databaseUrl, secretKey, secretKeyPrevious: previousKey } = config;
  if (databaseUrl === undefined || secretKey === undefined) {
    throw new ConfigError(
      'A worker needs DATABASE_URL and SECRET_KEY, with the values of the server. It cannot use the DATA_DIR of the server.',
    );
  }
  const log = makeLog(config.logLevel);
  opened(await startTracing(process.env));
  await waitForDatabase(databaseUrl, log);
  const app = await explainingFaults(databaseUrl, tableNames, () =>
    createApp({ config: { ...config, workers: true }, databaseUrl, secretKey, previousKey, log }),
  );
  opened(() => app.close());
  log.info('working');
}

await runProcess(start);
