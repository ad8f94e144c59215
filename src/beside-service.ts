import { existsSync } from 'node:fs';
import { type Config, ConfigError } from './config.ts';
import { openDataDir } from './platform/data-dir/open-data-dir.ts';
import { clusterFiles } from './platform/database/embedded/cluster.ts';
import { findRunningServer } from './platform/database/embedded/postmaster.ts';
import { startEmbeddedPostgres } from './platform/database/embedded.ts';
import type { Opened } from './run-process.ts';

/**
 * URL of the database of the service for a command beside it: the one that is configured, or the embedded one. That one is
 * started if the service is not running.
 */
export async function databaseBeside(
  { databaseUrl, databaseDirectUrl, dataDir: directory }: Config,
  opened: Opened,
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
