import { migrations } from '../migrations/index.ts';
import { entities } from './entities.ts';
import { type DatabaseConnection, type DatabaseOptions, openDatabase } from './platform/database/database.ts';
import { type MigrateOptions, migrate } from './platform/database/migrate.ts';
import { sharesSessions } from './platform/database/pooler.ts';

/**
 * Connects to the database with the entities and migrations of the service, without applying migrations. Finds out
 * whether a pooler shares its sessions, unless the options say.
 */
export async function connect(url: string, options: DatabaseOptions = {}): Promise<DatabaseConnection> {
  const isShared = options.sharesSessions ?? (await sharesSessions(url));
  return openDatabase(url, entities, { ...options, sharesSessions: isShared, migrations });
}

/**
 * Applies the migrations to a database, without a time limit for each. Returns the names of those that were pending.
 */
export async function migrateDatabase(url: string, options?: MigrateOptions): Promise<string[]> {
  const connection: DatabaseConnection = await connect(url, { poolSize: 2 });
  try {
    return await migrate(connection, options);
  } finally {
    await connection.close();
  }
}
