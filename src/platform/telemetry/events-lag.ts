import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { isSettled } from '../events/read-events.ts';

/** Age of the oldest event that a transaction on the server holds back from all readers; 0 if none does. */
export async function eventsHeldBack(db: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - (
        select e.created_at from event e where not ${isSettled} order by e.transaction_id, e.id limit 1
      )), 0)::float8 as seconds`.execute(db);
  return rows[0]?.seconds ?? 0;
}

/** Age of the first unread event of each event consumer of the service. */
export async function eventsLag(db: Database): Promise<{ reader: string; seconds: number }[]> {
  const { rows } = await sql<{ reader: string; seconds: number }>`
    select r.name as reader, coalesce(extract(epoch from clock_timestamp() - (
        select e.created_at from event e
        where (e.transaction_id, e.id) > (r.transaction_id, r.event_id)
        order by e.transaction_id, e.id limit 1
      )), 0)::float8 as seconds
    from event_consumer r order by r.name`.execute(db);
  return rows;
}
