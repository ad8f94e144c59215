import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, migrateDatabase } from '../src/database.ts';
import { openDataDir } from '../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../src/platform/database/embedded/start-embedded-postgres.ts';

/** The SQL that makes a migrated database that of the entities. Empty if it is. */
export async function missingMigration(url: string): Promise<string> {
  await migrateDatabase(url);
  const connection = await connect(url, { poolSize: 2 });
  try {
    return (await connection.orm.schema.getUpdateSchemaSQL({ wrap: false })).trim();
  } finally {
    await connection.close();
  }
}

async function printMigration(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'stemma-migration-'));
  const dataDir = await openDataDir(directory);
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: console.error });
    try {
      console.log((await missingMigration(server.url)) || 'The migrations make the tables of the entities.');
    } finally {
      await server.stop();
    }
  } finally {
    dataDir.close();
    await rm(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) await printMigration();
