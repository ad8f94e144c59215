import { parseArgs } from 'node:util';
import { createApp } from '../app.ts';
import { type Config, ConfigError } from '../config.ts';
import { tableNames } from '../entities.ts';
import { makeLog } from '../make-log.ts';
import { explainingFaults } from '../platform/database/database-faults.ts';
import { waitForDatabase } from '../platform/database/wait-for-database.ts';
import { runCommand } from '../run-command.ts';
import type { RegisterClose } from '../run-process.ts';

const USAGE = 'Usage: npm run migrate [-- --after]';

/**
 * `npm run migrate`: prepares the database as a start of the service does, and ends. Servers that start afterwards find
 * nothing to migrate. With `--after`, also the migrations that the former version cannot run with. Stopping this
 * command leaves a database that both versions run on, as far as they did before.
 */
async function migrate(config: Config, _opened: RegisterClose, signal: AbortSignal): Promise<undefined> {
  const runsLate = readsAfter();
  const { databaseUrl, secretKey, secretKeyPrevious: previousKey } = config;
  if (databaseUrl === undefined || secretKey === undefined) {
    throw new ConfigError(
      'Migrating needs DATABASE_URL and SECRET_KEY, with the values of the server. The embedded database is migrated when the service starts.',
    );
  }
  signal.addEventListener('abort', () => process.exit(1));
  const log = makeLog(config.logLevel);
  await waitForDatabase(databaseUrl, log);
  const app = await explainingFaults(databaseUrl, tableNames, () =>
    createApp({
      config: { ...config, workers: false },
      databaseUrl,
      secretKey,
      previousKey,
      log,
      ...(runsLate && { runsLateMigrations: true }),
    }),
  );
  await app.close();
  log.info('the database is migrated');
}

function readsAfter(): boolean {
  try {
    return parseArgs({ options: { after: { type: 'boolean', default: false } } }).values.after;
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

await runCommand(migrate);
