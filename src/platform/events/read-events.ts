import { type RawBuilder, sql } from 'kysely';
import type { Database, Row } from '../database/tables.ts';

export type EventRow = Row<'event'>;

/** A position in the order of events. */
export type EventPosition = Pick<EventRow, 'transactionId' | 'id'>;

/**
 * The condition that the event `e` is settled: every transaction that could still add an event before it has ended. Ids
 * and sequences do not follow the order of commits, so that reading past an unsettled event could miss others.
 */
export const isSettled: RawBuilder<boolean> = sql<boolean>`e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())`;

/**
 * The settled events after a position (by default, from the first one) in their order, of some or all organizations.
 */
export async function readEvents(
  db: Database,
  {
    organizationIds,
    after,
    limit,
  }: { organizationIds?: readonly string[]; after?: EventPosition | undefined; limit: number },
): Promise<EventRow[]> {
  let query = db.selectFrom('event as e').where(isSettled);
  if (organizationIds) query = query.where('e.organizationId', 'in', organizationIds);
  if (after) query = query.where(sql<boolean>`(e.transaction_id, e.id) > (${after.transactionId}::xid8, ${after.id})`);
  return query.selectAll('e').orderBy('e.transactionId').orderBy('e.id').limit(limit).execute();
}

/** The position before every event. */
export const BEFORE_EVENTS: EventPosition = { transactionId: '0', id: '' };

/** The position after every event that is settled now. */
export async function endOfEvents(db: Database): Promise<EventPosition> {
  const { rows } = await sql<{ transactionId: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as transaction_id`.execute(db);
  // An empty id comes before every event of that transaction and after all events of earlier ones.
  return { transactionId: rows[0]?.transactionId ?? '0', id: '' };
}

/** The position of an event. Undefined if the organization has no such event. */
export const positionOfEvent = (db: Database, organizationId: string, id: string): Promise<EventPosition | undefined> =>
  db
    .selectFrom('event')
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .select(['transactionId', 'id'])
    .executeTakeFirst();
