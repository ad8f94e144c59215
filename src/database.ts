import { migrations } from '../migrations/index.ts';
import { entities } from './entities.ts';
import { type DatabaseConnection, type DatabaseOptions, openDatabase } from './platform/database/database.ts';
import { migrate } from './platform/database/migrate.ts';

/** Opens the service's database: its entities and its migrations, with nothing applied yet. */
export const connect = (url: string, options: DatabaseOptions = {}) =>
  openDatabase(url, entities, { ...options, migrations });

/** Brings the database at an address up to date, however long that takes, and lets go of it. */
export async function migrateDatabase(url: string): Promise<string[]> {
  const connection: DatabaseConnection = await connect(url, { poolSize: 2, acquireTimeoutMs: 10_000 });
  try {
    return await migrate(connection);
  } finally {
    await connection.close();
  }
}
