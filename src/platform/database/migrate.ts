import { sql } from 'kysely';
import type { DatabaseConnection } from './database.ts';

/** Key of the advisory lock that migrations hold, any constant number that nothing else uses. */
export const MIGRATION_LOCK = 7_305_110_042;

/**
 * Brings the schema up to date. Safe to call from several processes at once: they take turns by an advisory lock, and
 * whoever comes second finds nothing to do. Each run is one transaction, so a crash leaves the schema as it was.
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

/** Whether every known migration is applied. */
export async function isMigrated({ orm }: DatabaseConnection): Promise<boolean> {
  return (await orm.migrator.getPending()).length === 0;
}
