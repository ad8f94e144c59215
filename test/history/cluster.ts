import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { SECRET_KEY } from '../bench/database.ts';
import { findStockPostgres } from '../installed-postgres.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { type DatabaseServer, databaseDirectory, startDatabase } from './database-server.ts';
import { startReplicated } from './replicated-database.ts';
import { ServerProcess } from './server-process.ts';

export const OPERATOR_TOKEN = 'stemma_the_token_of_the_history_checker';

const PREFIX = 'stemma-history-';

/** Server processes behind gates, on one database: with a standby where PostgreSQL is installed. */
export interface Cluster {
  readonly servers: readonly ServerProcess[];
  readonly database: DatabaseServer;
  close(): Promise<void>;
}

export async function startCluster(processes = 2): Promise<Cluster> {
  await removeAbandoned();
  const directory = await mkdtemp(join(temporaryDirectory(), PREFIX));
  // The servers and the database end with this process, but leave their files.
  const removeAtExit = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  process.once('exit', removeAtExit);
  const programs = findStockPostgres();
  const database = await (programs === undefined ? startDatabase(directory) : startReplicated(programs, directory));
  const servers: ServerProcess[] = [];
  const close = async () => {
    for (const server of servers) await server.stop();
    await database.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    process.off('exit', removeAtExit);
  };
  try {
    for (let index = 0; index < processes; index++) {
      const environment = {
        DATABASE_URL: database.url,
        DATABASE_POOL: '10',
        DATA_DIR: join(directory, `server-${index}`),
        BOOTSTRAP_TOKEN: OPERATOR_TOKEN,
        SECRET_KEY,
        PORT: '0',
        WORKERS: '0',
        DEMO: '0',
        RATE_LIMIT: '0',
        QUERY_COST_PER_MINUTE: '0',
        LOG_LEVEL: 'fatal',
      };
      servers.push(await ServerProcess.start(environment));
    }
    return { servers, database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Removes the directories of runs that were killed: no process has their lock. New ones may be about to get it. */
async function removeAbandoned(): Promise<void> {
  const parent = temporaryDirectory();
  const minuteAgo = Date.now() - 60_000;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(parent, name);
    const found = await stat(directory).catch(() => null);
    if (found === null || found.mtimeMs > minuteAgo) continue;
    const lock = await openDataDir(databaseDirectory(directory)).catch(() => null);
    if (lock === null) continue;
    await rm(directory, { recursive: true, force: true });
    lock.close();
  }
}
