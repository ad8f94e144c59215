import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/** A window of time and what all processes together have taken of it. Times are in milliseconds. */
export interface Taken {
  windowStart: number;
  taken: number;
}

/**
 * Takes a slice of somebody's window for this process, and answers how much is taken then: more than `limit` when less
 * than the slice was left. When another process whose clock is ahead has begun the next window, the slice is of that one.
 */
export async function leaseSlice(
  db: Database,
  { bucket, windowStart, slice, limit }: { bucket: string; windowStart: number; slice: number; limit: number },
): Promise<Taken> {
  const { rows } = await sql<{ windowStart: string; taken: number }>`
    insert into rate_lease as lease (bucket, window_start, taken)
    values (${bucket}, ${new Date(windowStart).toISOString()}, ${slice})
    on conflict (bucket) do update set
      window_start = greatest(lease.window_start, excluded.window_start),
      taken = case when lease.window_start < excluded.window_start then 0 else least(lease.taken, ${limit}) end
        + excluded.taken
    returning window_start, taken`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('An upsert answers with its row.');
  return { windowStart: Date.parse(row.windowStart), taken: row.taken };
}

/** Forgets windows that began before a time: nobody counts in them any more. */
export const removeLeases = (db: Database, before: number) =>
  db.deleteFrom('rate_lease').where('windowStart', '<', new Date(before).toISOString()).execute();
