import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { listWebhookDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { redeliverWebhookEvent } from './redeliver-webhook-event.ts';
import { webhook, webhookDelivery } from './resources.ts';
import { updateWebhook } from './update-webhook.ts';

const WEBHOOKS = '/v1/orgs/:organizationId/webhooks';
const WEBHOOK = '/v1/webhooks/:webhookId';

const newWebhookShape = () =>
  shapeOf(webhook)
    .extend({
      secret: z
        .string()
        .nullable()
        .describe(
          'Secret that signs deliveries. Returned only once: null if the request is repeated with the same idempotency key.',
        ),
    })
    .meta({ id: 'NewWebhook', description: 'A webhook that was just created.', isVersioned: true });

const changedWebhookShape = () =>
  shapeOf(webhook)
    .extend({
      secret: z
        .string()
        .optional()
        .describe(
          'New secret that signs deliveries. Present once, if the URL has another scheme, host or port than before.',
        ),
    })
    .meta({ id: 'ChangedWebhook', description: 'A webhook that was just changed.', isVersioned: true });

export const webhookRoutes: Route[] = [
  listRoute(WEBHOOKS, listWebhooks, { operationId: 'listWebhooks', response: resourceResponse(webhook) }),
  route('POST', WEBHOOKS, createWebhook, {
    operationId: 'createWebhook',
    shape: newWebhookShape,
    status: 201,
    headers: (created, ctx) => ({
      location: locationUrl(ctx, `/v1/webhooks/${created.webhook.id}`),
      'cache-control': 'no-store',
    }),
    present: async ({ webhook: row, secret }, ctx) => ({ ...(await present(webhook, row, ctx)), secret }),
  }),
  route('GET', WEBHOOK, getWebhook, { operationId: 'getWebhookById', response: resourceResponse(webhook) }),
  route('PATCH', WEBHOOK, updateWebhook, {
    operationId: 'updateWebhookById',
    rename: { paused: 'isPaused' },
    shape: changedWebhookShape,
    headers: ({ secret }): Record<string, string> => (secret === null ? {} : { 'cache-control': 'no-store' }),
    present: async ({ webhook: row, secret }, ctx) => ({
      ...(await present(webhook, row, ctx)),
      ...(secret !== null && { secret }),
    }),
  }),
  route('DELETE', WEBHOOK, deleteWebhook, { operationId: 'deleteWebhookById' }),
  listRoute(`${WEBHOOK}/deliveries`, listWebhookDeliveries, {
    operationId: 'listWebhookDeliveries',
    response: resourceResponse(webhookDelivery),
  }),
  route('POST', '/v1/webhook-deliveries/:deliveryId/redeliver', redeliverWebhookEvent, {
    operationId: 'redeliverWebhookEvent',
    status: 201,
    response: resourceResponse(webhookDelivery, ({ delivery }) => delivery),
  }),
];
