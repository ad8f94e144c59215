import { defineEntity, p } from '@mikro-orm/core';
import { changes, createdTime, raisesVersion, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { EventKind } from '../../../platform/events/kinds.ts';
import type { DeliveryStatus } from './enums.ts';

/** A URL that events of an organization are sent to. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  properties: {
    id: text().primary(),
    organizationId: text(),
    url: text(),
    label: text(),
    /** If empty, all kinds. */
    kinds: p.array().columnType('text[]').$type<EventKind[]>().defaultRaw(`'{}'`),
    /** Signs deliveries. Encrypted instead of hashed, since every delivery needs it. */
    secret: p.blob().$type<Buffer>(),
    /** Set while the webhook is paused. */
    pausedAt: time().nullable(),
    pauseReason: text().nullable(),
    /** Number of failed deliveries since the last successful one. */
    failureStreak: p.integer().default(0),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'webhook_organization_index', properties: ['organizationId', 'createdAt', 'id'] }],
  triggers: [
    raisesVersion(
      '(((old.failure_streak = new.failure_streak) OR (old.paused_at IS DISTINCT FROM new.paused_at)) AND ((old.secret = new.secret) OR (old.updated_at IS DISTINCT FROM new.updated_at)))',
    ),
  ],
});

/** The delivery of an event to a webhook. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    id: text().primary(),
    organizationId: text(),
    webhookId: text(),
    eventId: text(),
    status: text().$type<DeliveryStatus>().default('pending'),
    attempts: p.integer().default(0),
    /** Of the last attempt. */
    responseStatus: p.integer().nullable(),
    error: text().nullable(),
    milliseconds: p.integer().nullable(),
    createdAt: createdTime(),
    attemptedAt: time().nullable(),
    organization: reference('Organization', 'organization_id'),
    webhook: reference('Webhook', 'webhook_id'),
  },
  indexes: [
    { name: 'webhook_delivery_webhook_index', properties: ['webhookId', 'createdAt', 'id'] },
    { name: 'webhook_delivery_age_index', properties: ['createdAt'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    webhook: Table<typeof Webhook>;
    webhook_delivery: Table<typeof WebhookDelivery>;
  }
}
