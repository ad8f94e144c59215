import { defineEntity, p } from '@mikro-orm/core';
import { createdTime, jsonb, text } from '../database/columns.ts';
import type { Table } from '../database/tables.ts';
import type { EventClient } from './event-client.ts';
import type { EventKind } from './kinds.ts';
import type { SettingsChanges } from './settings-changes.ts';

/**
 * An event, written in the transaction that it describes. Contains ids and, if it is audited, settings; never content.
 */
export const EventRecord = defineEntity({
  name: 'EventRecord',
  tableName: 'event',
  properties: {
    id: text().primary(),
    /** Null for events that concern no organization: those of users and tokens. */
    organizationId: text().nullable(),
    /** The transaction that wrote the event. Events are read in the order of transaction and id. */
    transactionId: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()'),
    kind: text().$type<EventKind>(),
    /** A user, an installed integration or a SCIM token. Null if the service itself caused the event. */
    actorId: text().nullable(),
    spaceId: text().nullable(),
    ids: jsonb<Record<string, string>>(),
    /** Of audited events. Null if it was recorded before clients were kept. */
    client: jsonb<EventClient>().nullable(),
    /** Of audited events that changed settings. */
    changes: jsonb<SettingsChanges>().nullable(),
    createdAt: createdTime(),
  },
  indexes: [
    { name: 'event_organization_index', properties: ['organizationId', 'transactionId', 'id'] },
    { name: 'event_order_index', properties: ['transactionId', 'id'] },
    { name: 'event_actor_index', properties: ['organizationId', 'actorId', 'transactionId', 'id'] },
    { name: 'event_time_index', properties: ['organizationId', 'createdAt'] },
    {
      name: 'event_ids_index',
      expression: 'create index "event_ids_index" on "event" using gin ("ids" jsonb_path_ops)',
    },
  ],
});

/** Position of an event consumer. */
export const ConsumerPosition = defineEntity({
  name: 'ConsumerPosition',
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
    event_consumer: Table<typeof ConsumerPosition>;
  }
}
