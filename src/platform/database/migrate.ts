import { sql } from 'kysely';
import type { DatabaseConnection } from './database.ts';

/** Key of the advisory lock for migrations: any number that nothing else uses. */
export const MIGRATION_LOCK = 7_305_110_042;

/**
 * Updates the schema. Can be called by several processes at once: an advisory lock makes them wait for each other. Each
 * run is one transaction, so a crash leaves the schema unchanged.
 */
export async function migrate({ orm, db }: DatabaseConnection): Promise<string[]> {
  return db.connection().execute(async (session) => {
    await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(session);
    try {
      const applied = await orm.migrator.up();
      return applied.map(({ name }) => name);
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(session);
    }
  });
}

/** Whether all known migrations are applied. */
export async function isMigrated({ orm }: DatabaseConnection): Promise<boolean> {
  return (await orm.migrator.getPending()).length === 0;
}
