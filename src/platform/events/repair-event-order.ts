import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Database, databaseOf } from '../database/tables.ts';

/** The smallest transaction id that is not reserved: older than every transaction of any cluster. */
const BEFORE_ALL = '3';

/**
 * Repairs events that were restored into another PostgreSQL cluster. Transaction ids are specific to a cluster: events
 * with an id that lies in the future there would not be settled for years. If there are such events, all events are
 * ordered by their ids, which means by time. Consumers continue before the first event that they have not processed.
 * Returns whether events were changed.
 */
export async function repairEventOrder(root: EntityManager): Promise<boolean> {
  if (!(await isForeign(databaseOf(root)))) return false;
  return root.fork().transactional(async (em) => {
    const db = databaseOf(em);
    await sql`set local statement_timeout = 0`.execute(db);
    await sql`lock table event, event_consumer in exclusive mode`.execute(db);
    if (!(await isForeign(db))) return false;
    await sql`
      update event_consumer r set transaction_id = ${BEFORE_ALL}::xid8, event_id = coalesce((
        select max(e.id) from event e where e.id < coalesce((
          select min(u.id) from event u where (u.transaction_id, u.id) > (r.transaction_id, r.event_id)), 'f')), '')`.execute(
      db,
    );
    await sql`update event set transaction_id = ${BEFORE_ALL}::xid8`.execute(db);
    return true;
  });
}

async function isForeign(db: Database): Promise<boolean> {
  const { rows } = await sql<{ isForeign: boolean }>`
    select exists (
      select from event where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())) as "isForeign"`.execute(db);
  return rows[0]?.isForeign ?? false;
}
