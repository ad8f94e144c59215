import { eventKind } from '../../../platform/events/kinds.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { event, loadEvent } from '../events/index.ts';
import type { WebhookRow } from './access.ts';
import { deliveryStatus } from './enums.ts';
import type { DeliveryRow } from './list-deliveries.ts';
import { webhookSecret } from './webhook-secret.ts';

const webhookUrls = resource<WebhookRow>({ name: 'WebhookUrls', description: 'URLs of a webhook.' }, (f) => ({
  location: f.url('URL of the webhook in the REST API.', ({ id }, ctx) => locationUrl(ctx, `/v1/webhooks/${id}`)),
}));

export const webhook = resource<WebhookRow>(
  {
    name: 'Webhook',
    object: 'webhook',
    node: 'webhook',
    isVersioned: true,
    description: "A webhook that sends an organization's events to a URL. Every delivery is signed.",
  },
  (f) => ({
    organization: f.id('org')('ID of the organization.', ({ organizationId }) => organizationId, { graph: false }),
    url: f.url('URL that events are sent to.', ({ url }) => url),
    label: f.string('Label of the webhook, up to 100 characters.', ({ label }) => label),
    kinds: f.list(types.enum(eventKind))(
      'Kinds of events that are sent. If empty, all events are sent.',
      ({ kinds }) => kinds,
    ),
    isPaused: f.boolean('Whether deliveries are paused.', ({ pausedAt }) => pausedAt !== null, { rest: 'paused' }),
    pausedAt: f.time.optional(
      'Time when the webhook was paused. Null unless it is paused.',
      ({ pausedAt }) => pausedAt,
    ),
    pauseReason: f.string.optional(
      'Reason why the service paused the webhook. Null if a user paused it, or if the webhook is not paused.',
      ({ pauseReason }) => pauseReason,
    ),
    failureStreak: f.count('Number of failed deliveries since the last successful one.', (row) => row.failureStreak),
    hasUnreadableSecret: f.boolean(
      "Whether the secret that signs deliveries cannot be read because the service's secret key was lost. Deliveries then fail. To get a new secret, send the URL again with `updateWebhook`.",
      (row, { services }) => webhookSecret.isUnreadable(services, row, row.secret),
    ),
    createdAt: f.time('Time when the webhook was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time('Time when the settings of the webhook last changed.', ({ updatedAt }) => updatedAt),
    urls: f.object(() => webhookUrls)('URLs of the webhook.', (row) => row, { graph: false }),
  }),
);

export const webhookDelivery = resource<DeliveryRow>(
  { name: 'WebhookDelivery', object: 'webhook-delivery', description: 'The delivery of an event to a webhook.' },
  (f) => ({
    deliveryId: f.id('delivery')(
      'ID of the delivery, for `redeliverWebhookEvent`. Also sent in the header `X-Stemma-Delivery`.',
      ({ id }) => id,
      { rest: 'id' },
    ),
    webhook: f.id('webhook')('ID of the webhook.', ({ webhookId }) => webhookId, { graph: false }),
    event: f.reference(() => event, 'Event that is delivered.', {
      prefix: 'event',
      isRequired: true,
      id: ({ eventId }) => eventId,
      load: ({ eventId }, ctx) => loadEvent(ctx, eventId),
    }),
    status: f.enum(deliveryStatus)('Status of the delivery.', ({ status }) => status),
    attempts: f.count('Number of attempts so far.', ({ attempts }) => attempts),
    responseStatus: f.int.optional(
      'HTTP status of the last response. Null if there was none.',
      (row) => row.responseStatus,
    ),
    error: f.string.optional('Error message of the last attempt. Null if it did not fail.', ({ error }) => error),
    milliseconds: f.count.optional(
      'Duration of the last attempt in milliseconds. Null before the first attempt.',
      ({ milliseconds }) => milliseconds,
    ),
    createdAt: f.time('Time when the delivery was created.', ({ createdAt }) => createdAt),
    attemptedAt: f.time.optional(
      'Time of the last attempt. Null before the first attempt.',
      ({ attemptedAt }) => attemptedAt,
    ),
  }),
);
