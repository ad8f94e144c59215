import { actingIdOf } from '../access/actor.ts';
import { type Context, nowOf } from '../context/context.ts';
import { statement } from '../database/statement.ts';
import type { Database, Row } from '../database/tables.ts';
import { newId } from '../ids/ids.ts';
import { isAudited } from './audited.ts';
import { clientOf, type EventClient, SERVICE_CLIENT } from './event-client.ts';
import type { EventKind } from './kinds.ts';
import type { SettingsChanges } from './settings-changes.ts';

export interface NewEvent {
  kind: EventKind;
  /** Null for events that concern no organization. */
  organizationId: string | null;
  spaceId?: string | null;
  /** Ids of all resources that the event concerns, by the names that inputs use: `{ changeRequestId, revisionId }`. */
  ids?: Record<string, string>;
  /** Settings that changed, for audited events. Contains no secret. */
  changes?: SettingsChanges;
}

type NewRow = Omit<Row<'event'>, 'transactionId'>;

const insertEvent = statement(
  (db, { id, organizationId, kind, actorId, spaceId, ids, client, changes, createdAt }: NewRow) =>
    db.insertInto('event').values({ id, organizationId, kind, actorId, spaceId, ids, client, changes, createdAt }),
);

/** Records an event in the transaction of the command. Consumers are woken after the commit. */
export async function recordEvent(ctx: Context, event: NewEvent): Promise<void> {
  if (!ctx.inTransaction) throw new Error(`recordEvent() was called outside a command: ${event.kind}.`);
  await insertEvent(ctx, rowOfEvent(ctx, event));
  wakeConsumers(ctx);
}

/** PostgreSQL takes 65,535 parameters in a statement, and an event has nine. */
const MAX_EVENTS_OF_STATEMENT = 5_000;

/** The same for many events, with one statement for up to 5,000. */
export async function recordEvents(ctx: Context, events: readonly NewEvent[]): Promise<void> {
  if (!ctx.inTransaction) throw new Error('recordEvents() was called outside a command.');
  if (events.length === 0) return;
  for (let at = 0; at < events.length; at += MAX_EVENTS_OF_STATEMENT) {
    const rows = events.slice(at, at + MAX_EVENTS_OF_STATEMENT).map((event) => rowOfEvent(ctx, event));
    await ctx.db.insertInto('event').values(rows).execute();
  }
  wakeConsumers(ctx);
}

/** Records an event that no caller has caused, but a command of an operator on the machine of the service. */
export async function recordServiceEvent(db: Database, now: string, event: NewEvent): Promise<void> {
  await insertEvent({ db }, rowBy(null, SERVICE_CLIENT, now, event));
}

/** The row of an event of the caller. */
export const rowOfEvent = (ctx: Context, event: NewEvent): NewRow =>
  rowBy(actingIdOf(ctx.actor) ?? null, clientOf(ctx), nowOf(ctx), event);

/** The client and the changes are kept for audited events only. */
function rowBy(
  actorId: string | null,
  client: EventClient,
  createdAt: string,
  { kind, organizationId, spaceId = null, ids = {}, changes = {} }: NewEvent,
): NewRow {
  const allIds = spaceId === null ? ids : { spaceId, ...ids };
  const about = { id: newId('event'), organizationId, kind, actorId, spaceId, ids: allIds, createdAt };
  if (!isAudited(kind)) return { ...about, client: null, changes: null };
  return { ...about, client, changes: Object.keys(changes).length > 0 ? changes : null };
}

/** Wakes consumers of events after the commit. */
export const wakeConsumers = (ctx: Context) => void ctx.afterCommit?.push(() => ctx.services.eventSignal.raise());
