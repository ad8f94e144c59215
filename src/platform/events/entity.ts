import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, jsonb, text } from '../database/columns.ts';
import type { Table } from '../database/tables.ts';
import type { EventKind } from './kinds.ts';

/** Something that happened, written in the transaction that did it. Holds ids, never content. */
export const EventRecord = defineEntity({
  name: 'EventRecord',
  tableName: 'event',
  properties: {
    id: text().primary(),
    /** Null for what concerns the service and no organization: accounts and tokens. */
    organizationId: text().nullable(),
    /** The transaction that wrote it; with the id, the order in which events are read. */
    transactionId: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()'),
    kind: text().$type<EventKind>(),
    /** A user or an installation; null when the service itself did it. */
    actorId: text().nullable(),
    spaceId: text().nullable(),
    ids: jsonb<Record<string, string>>(),
    createdAt: createdTime(),
  },
  indexes: [
    { name: 'event_organization_index', properties: ['organizationId', 'transactionId', 'id'] },
    { name: 'event_order_index', properties: ['transactionId', 'id'] },
  ],
});

/** How far one of the service's own readers of all events has come. */
export const EventConsumer = defineEntity({
  name: 'EventConsumer',
  tableName: 'event_consumer',
  properties: {
    name: text().primary(),
    transactionId: p.string().columnType('xid8'),
    eventId: text(),
  },
});

declare module '../database/tables.ts' {
  interface Tables {
    event: Table<typeof EventRecord>;
    event_consumer: Table<typeof EventConsumer>;
  }
}
