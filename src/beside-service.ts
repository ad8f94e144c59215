import { existsSync } from 'node:fs';
import { backupParts } from './backup-parts.ts';
import { type Config, ConfigError } from './config.ts';
import { connect } from './database.ts';
import { rejectNewerDatabase } from './platform/compatibility/minimum-version.ts';
import { openDataDir } from './platform/data-dir/open-data-dir.ts';
import { clusterFiles } from './platform/database/embedded/cluster.ts';
import { findRunningServer } from './platform/database/embedded/postmaster.ts';
import { startEmbeddedPostgres } from './platform/database/embedded/start-embedded-postgres.ts';
import { isMigrated } from './platform/database/migrate.ts';
import { namesOf } from './platform/database/migrations.ts';
import { openSession } from './platform/database/session.ts';
import type { RegisterClose } from './run-process.ts';

/** Throws a `ConfigError` if the database has been migrated by a newer version, or has pending migrations. */
export async function requireOwnVersion(url: string): Promise<void> {
  const session = await openSession(url);
  await rejectNewerDatabase(session, namesOf(backupParts.migrations)).finally(() => session.end());
  const connection = await connect(url, { poolSize: 1 });
  try {
    if (!(await isMigrated(connection))) {
      throw new ConfigError('The database has pending migrations. Start the service once to apply them.');
    }
  } finally {
    await connection.close();
  }
}

/**
 * URL of the database of the service for a command beside it: the one that is configured, or the embedded one. That one
 * is started if the service is not running.
 */
export async function databaseBeside(
  { databaseUrl, databaseDirectUrl, dataDir: directory }: Config,
  opened: RegisterClose,
): Promise<string> {
  const url = databaseDirectUrl ?? databaseUrl ?? (await findRunningServer(directory));
  if (url !== undefined) return url;
  if (!existsSync(clusterFiles({ path: directory }))) {
    throw new ConfigError(
      `${directory} has no database. Set DATABASE_URL or DATA_DIR to the values of the service, and start the service once.`,
    );
  }
  const dataDir = await openDataDir(directory);
  opened(() => dataDir.close());
  const postgres = await startEmbeddedPostgres({ dataDir, log: (message) => process.stderr.write(`${message}\n`) });
  opened(() => postgres.stop());
  return postgres.url;
}
