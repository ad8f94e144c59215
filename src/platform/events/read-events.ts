import { type RawBuilder, sql } from 'kysely';
import type { Database, Row } from '../database/tables.ts';

export type EventRow = Row<'event'>;

/** A place in the order of events. */
export type EventPosition = Pick<EventRow, 'transactionId' | 'id'>;

/**
 * The event `e` is settled: every transaction that could still put one before it has ended. Neither ids nor sequences
 * are in the order of commits, so whoever pages past an unsettled event may miss others for good.
 */
export const isSettled: RawBuilder<boolean> = sql<boolean>`e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())`;

/** The settled events after a place, or from the first one on, in their order: of one organization, or of all. */
export async function readEvents(
  db: Database,
  { organizationId, after, limit }: { organizationId?: string; after?: EventPosition | undefined; limit: number },
): Promise<EventRow[]> {
  let query = db.selectFrom('event as e').where(isSettled);
  if (organizationId !== undefined) query = query.where('e.organizationId', '=', organizationId);
  if (after) query = query.where(sql<boolean>`(e.transaction_id, e.id) > (${after.transactionId}::xid8, ${after.id})`);
  return query.selectAll('e').orderBy('e.transactionId').orderBy('e.id').limit(limit).execute();
}

/** The place before every event. */
export const BEFORE_EVENTS: EventPosition = { transactionId: '0', id: '' };

/** The place behind every event that is settled now. */
export async function endOfEvents(db: Database): Promise<EventPosition> {
  const { rows } = await sql<{ transactionId: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as transaction_id`.execute(db);
  // Below every id of that transaction, and above all of those before it.
  return { transactionId: rows[0]?.transactionId ?? '0', id: '' };
}

/** The place right behind an event, if the organization has such a one. */
export const placeOfEvent = (db: Database, organizationId: string, id: string): Promise<EventPosition | undefined> =>
  db
    .selectFrom('event')
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .select(['transactionId', 'id'])
    .executeTakeFirst();
