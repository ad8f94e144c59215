import { actingIdOf } from '../access/actor.ts';
import { type Context, nowOf } from '../context.ts';
import { statement } from '../database/statement.ts';
import type { Row } from '../database/tables.ts';
import { newId } from '../ids.ts';
import type { EventKind } from './kinds.ts';

export interface NewEvent {
  kind: EventKind;
  /** Null for events that concern no organization. */
  organizationId: string | null;
  spaceId?: string | null;
  /** Ids of all resources that the event concerns, by the names that inputs use: `{ changeRequestId, revisionId }`. */
  ids?: Record<string, string>;
}

type NewRow = Omit<Row<'event'>, 'transactionId'>;

const insertEvent = statement((db, { id, organizationId, kind, actorId, spaceId, ids, createdAt }: NewRow) =>
  db.insertInto('event').values({ id, organizationId, kind, actorId, spaceId, ids, createdAt }),
);

/** Records an event in the transaction of the command. Consumers are woken after the commit. */
export async function recordEvent(ctx: Context, event: NewEvent): Promise<void> {
  if (!ctx.inTransaction) throw new Error(`The event ${event.kind} was recorded outside of a command.`);
  await insertEvent(ctx, rowOfEvent(ctx, event));
  wakeConsumers(ctx);
}

/** The row of an event of the caller. */
export function rowOfEvent(ctx: Context, { kind, organizationId, spaceId = null, ids = {} }: NewEvent): NewRow {
  return {
    id: newId('event'),
    organizationId,
    kind,
    actorId: actingIdOf(ctx.actor) ?? null,
    spaceId,
    ids: spaceId === null ? ids : { spaceId, ...ids },
    createdAt: nowOf(ctx),
  };
}

/** Wakes consumers of events after the commit. */
export const wakeConsumers = (ctx: Context) => void ctx.afterCommit?.push(() => ctx.services.eventSignal.raise());
