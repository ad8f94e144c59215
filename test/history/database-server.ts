import { join } from 'node:path';
import pg from 'pg';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';

/** A PostgreSQL that the servers use as their database. */
export interface DatabaseServer {
  readonly url: string;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Loses the primary and promotes its standby. Resolves when that has a standby. Undefined without one. */
  failOver?(): Promise<void>;
  stop(): Promise<void>;
}

/** The database's files, in the directory of the cluster. */
export const databaseDirectory = (directory: string): string => join(directory, 'database');

export async function startDatabase(directory: string): Promise<DatabaseServer> {
  const dataDir = await openDataDir(databaseDirectory(directory));
  // Processes crash here, and no machine: what was written to a file is there.
  const settings = { max_connections: 120, fsync: 'off' };
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
  return {
    url: server.url,
    query: (text, values) => queryAt(server.url, text, values),
    async stop() {
      await server.stop();
      dataDir.close();
    },
  };
}

/** One statement on a connection of its own. */
export async function queryAt(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // ended by a fault
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Kills one of the server's processes: PostgreSQL ends all sessions and recovers from its log. */
export async function crash({ query }: DatabaseServer): Promise<void> {
  const [victim] = await query(`select pid from pg_stat_activity where application_name like 'stemma%' limit 1`);
  if (victim) process.kill(Number(victim.pid), 'SIGKILL');
}
