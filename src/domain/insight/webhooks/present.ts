import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { eventKind } from '../../../platform/events/kinds.ts';
import { addressIn, countIn, idIn, namedShape, objectIs, timeIn, versionedShape } from '../../../platform/shapes.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { VERSIONED } from '../../../platform/version.ts';
import type { WebhookRow } from './access.ts';
import { deliveryStatus } from './enums.ts';
import type { DeliveryRow } from './list-deliveries.ts';

export const webhookLocation = ({ id }: WebhookRow, ctx: Context) => locationUrl(ctx, `/v1/webhooks/${id}`);

export const presentWebhook = (webhook: WebhookRow, ctx: Context) => ({
  object: 'webhook',
  id: webhook.id,
  organization: webhook.organizationId,
  url: webhook.url,
  label: webhook.label,
  kinds: webhook.kinds,
  paused: webhook.pausedAt !== null,
  ...(webhook.pausedAt === null ? {} : { pausedAt: webhook.pausedAt }),
  ...(webhook.pauseReason === null ? {} : { pauseReason: webhook.pauseReason }),
  failureStreak: webhook.failureStreak,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
  urls: { location: webhookLocation(webhook, ctx) },
  [VERSIONED]: webhook,
});

export const presentDelivery = (delivery: DeliveryRow) => ({
  object: 'webhook-delivery',
  id: delivery.id,
  webhook: delivery.webhookId,
  event: delivery.eventId,
  status: delivery.status,
  attempts: delivery.attempts,
  ...(delivery.responseStatus === null ? {} : { responseStatus: delivery.responseStatus }),
  ...(delivery.error === null ? {} : { error: delivery.error }),
  ...(delivery.milliseconds === null ? {} : { milliseconds: delivery.milliseconds }),
  createdAt: delivery.createdAt,
  ...(delivery.attemptedAt === null ? {} : { attemptedAt: delivery.attemptedAt }),
});

const webhookMembers = {
  object: objectIs('webhook'),
  id: idIn('webhook'),
  organization: idIn('org', 'The organization.'),
  url: addressIn('Where events are sent to.'),
  label: z.string().describe('What it is for.'),
  kinds: z.array(eventKind).describe('Kinds of events that it gets; none means all.'),
  paused: z.boolean().describe('Whether nothing is sent at present.'),
  pausedAt: timeIn('When it was paused.').optional(),
  pauseReason: z.string().optional().describe('Why the service paused it.'),
  failureStreak: countIn('Deliveries that failed since the last one that went well.'),
  createdAt: timeIn('When it was made.'),
  updatedAt: timeIn('When it was last changed.'),
  urls: z.object({ location: addressIn('Where it is in REST.') }).describe('Addresses.'),
};

export const webhookShape = versionedShape('Webhook', 'An address that is told what happens.', webhookMembers);

export const newWebhookShape = versionedShape('NewWebhook', 'A webhook that was just made.', {
  ...webhookMembers,
  secret: z
    .string()
    .nullable()
    .describe('Signs deliveries; shown this once, and null in a repetition under an idempotency key.'),
});

export const deliveryShape = namedShape('WebhookDelivery', 'What became of an event on its way to a webhook.', {
  object: objectIs('webhook-delivery'),
  id: idIn('delivery'),
  webhook: idIn('webhook', 'The webhook.'),
  event: idIn('event', 'The event.'),
  status: deliveryStatus.describe('What became of it.'),
  attempts: countIn('How often it was tried.'),
  responseStatus: z.int().optional().describe('The status that the receiver answered last.'),
  error: z.string().optional().describe('Why the last attempt failed.'),
  milliseconds: countIn('How long the last attempt took.').optional(),
  createdAt: timeIn('When the event was found.'),
  attemptedAt: timeIn('When it was last tried.').optional(),
});
