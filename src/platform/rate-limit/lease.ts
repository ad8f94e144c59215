import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/** A window of time, and the number of requests leased in it by all processes. Times are in milliseconds. */
export interface LeasedWindow {
  windowStart: number;
  leased: number;
}

/**
 * Leases a slice of a window for this process. The returned total exceeds `limit` if less than the slice was left. If
 * another process, whose clock is ahead, has started the next window, the slice belongs to that window.
 */
export async function leaseSlice(
  db: Database,
  { bucket, windowStart, slice, limit }: { bucket: string; windowStart: number; slice: number; limit: number },
): Promise<LeasedWindow> {
  const { rows } = await sql<{ windowStart: string; taken: number }>`
    insert into rate_lease as lease (bucket, window_start, taken)
    values (${bucket}, ${new Date(windowStart).toISOString()}, ${slice})
    on conflict (bucket) do update set
      window_start = greatest(lease.window_start, excluded.window_start),
      taken = case when lease.window_start < excluded.window_start then 0 else least(lease.taken, ${limit}) end
        + excluded.taken
    returning window_start, taken`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The upsert returned no row.');
  return { windowStart: Date.parse(row.windowStart), leased: row.taken };
}

/** Deletes windows that started before a time, which are no longer counted. */
export const removeLeases = (db: Database, before: number) =>
  db.deleteFrom('rate_lease').where('windowStart', '<', new Date(before).toISOString()).execute();
