import { listRoute, type Route, route } from '../../../platform/http/route.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { listWebhookDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import {
  deliveryShape,
  newWebhookShape,
  presentDelivery,
  presentWebhook,
  webhookLocation,
  webhookShape,
} from './present.ts';
import { redeliverWebhookEvent } from './redeliver-webhook-event.ts';
import { updateWebhook } from './update-webhook.ts';

const ALL = '/v1/orgs/:organizationId/webhooks';
const ONE = '/v1/webhooks/:webhookId';

export const webhookRoutes: Route[] = [
  listRoute(ALL, listWebhooks, { operationId: 'listWebhooks', shape: webhookShape, present: presentWebhook }),
  route('POST', ALL, createWebhook, {
    operationId: 'createWebhook',
    shape: newWebhookShape,
    status: 201,
    headers: ({ webhook }, ctx) => ({ location: webhookLocation(webhook, ctx), 'cache-control': 'no-store' }),
    present: ({ webhook, secret }, ctx) => ({ ...presentWebhook(webhook, ctx), secret }),
  }),
  route('GET', ONE, getWebhook, { operationId: 'getWebhookById', shape: webhookShape, present: presentWebhook }),
  route('PATCH', ONE, updateWebhook, {
    operationId: 'updateWebhookById',
    shape: webhookShape,
    rename: { paused: 'isPaused' },
    present: ({ webhook }, ctx) => presentWebhook(webhook, ctx),
  }),
  route('DELETE', ONE, deleteWebhook, { operationId: 'deleteWebhookById' }),
  listRoute(`${ONE}/deliveries`, listWebhookDeliveries, {
    operationId: 'listWebhookDeliveries',
    shape: deliveryShape,
    present: presentDelivery,
  }),
  route('POST', '/v1/webhook-deliveries/:deliveryId/redeliver', redeliverWebhookEvent, {
    operationId: 'redeliverWebhookEvent',
    shape: deliveryShape,
    status: 201,
    present: ({ delivery }) => presentDelivery(delivery),
  }),
];
