import { rejectNewerDatabase } from '../compatibility/minimum-version.ts';
import type { DatabaseConnection } from './database.ts';

/** Key of the advisory lock for migrations: any number that nothing else uses. */
export const MIGRATION_LOCK = 7_305_110_042;

/**
 * Updates the schema. Can be called by several processes at once: an advisory lock, which a transaction beside that of the
 * migrations holds, makes them wait for each other. The migrations are one transaction, so a crash leaves the schema unchanged.
 * Throws `NewerDatabaseError` if a newer version has migrated the database.
 */
export async function migrate({ orm, pool, migrations }: DatabaseConnection): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await rejectNewerDatabase(client, migrations);
    const applied = await orm.migrator.up();
    return applied.map(({ name }) => name);
  } finally {
    // Closing the connection ends the transaction.
    client.release(true);
  }
}

/** Whether all known migrations are applied. */
export async function isMigrated({ orm }: DatabaseConnection): Promise<boolean> {
  return (await orm.migrator.getPending()).length === 0;
}
