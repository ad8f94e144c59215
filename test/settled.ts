import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Database } from '../src/platform/database/tables.ts';

/**
 * Waits until the events of everything that has committed can be read: until the transactions that run now have ended,
 * those of other tests on the same server among them.
 */
export async function settled(db: Database): Promise<void> {
  const { rows } = await sql<{ last: string }>`select pg_current_xact_id()::text as last`.execute(db);
  const isPast = async () => {
    const result = await sql<{ isPast: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${rows[0]?.last}::xid8 as "isPast"`.execute(db);
    return result.rows[0]?.isPast;
  };
  await vi.waitUntil(isPast, { timeout: 25_000, interval: 10 });
}
