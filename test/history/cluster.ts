import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRET_KEY } from '../bench/database.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { type DatabaseServer, startDatabase } from './database-server.ts';
import { ServerProcess } from './server-process.ts';

export const OPERATOR_TOKEN = 'stemma_the_token_of_the_history_checker';

/** Server processes on one database, all behind gates. */
export interface Cluster {
  readonly servers: readonly ServerProcess[];
  readonly database: DatabaseServer;
  close(): Promise<void>;
}

export async function startCluster(processes = 2): Promise<Cluster> {
  const directory = await mkdtemp(join(temporaryDirectory(), 'stemma-history-'));
  const database = await startDatabase(directory);
  const servers: ServerProcess[] = [];
  const close = async () => {
    for (const server of servers) await server.stop();
    await database.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
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
