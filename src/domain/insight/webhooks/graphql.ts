import { eventKind } from '../../../platform/events/kinds.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { versionField } from '../../../platform/graphql/version-field.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { EventType } from '../events/graphql.ts';
import { loadEvent } from '../events/index.ts';
import { loadWebhook, type WebhookRow } from './access.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { deliveryStatus } from './enums.ts';
import { getWebhook } from './get-webhook.ts';
import { type DeliveryRow, deliveriesOfWebhook, listWebhookDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { redeliverWebhookEvent } from './redeliver-webhook-event.ts';
import { updateWebhook } from './update-webhook.ts';

const DeliveryType = builder.objectRef<DeliveryRow>('WebhookDelivery').implement({
  description: 'An event on its way to a webhook, or what became of it.',
  fields: (t) => ({
    deliveryId: t.exposeID('id', {
      description: 'Identifies the delivery in `redeliverWebhookEvent` and in the header `X-Stemma-Delivery`.',
    }),
    status: t.expose('status', { type: enumType(deliveryStatus), description: 'What became of it.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'HTTP status of the last answer; null when there was none.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why the last attempt failed, if it did.' }),
    milliseconds: t.exposeInt('milliseconds', { nullable: true, description: 'How long the last attempt took.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    attemptedAt: t.expose('attemptedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last attempt ended.',
    }),
    event: t.field({
      type: EventType,
      nullable: true,
      description: 'The event that it tells of.',
      resolve: ({ eventId }, _args, ctx) => loadEvent(ctx, eventId),
    }),
  }),
});

const WebhookType = builder.objectRef<WebhookRow>('Webhook').implement({
  description: 'An address that events of an organization are sent to, signed.',
  fields: (t) => ({
    url: t.expose('url', { type: 'URL', description: 'Where events are sent to.' }),
    label: t.exposeString('label', { description: 'What it is for, up to 100 characters.' }),
    kinds: t.expose('kinds', {
      type: [enumType(eventKind)],
      description: 'Kinds of events that it gets; none means all.',
    }),
    isPaused: t.boolean({ description: 'Whether nothing is sent.', resolve: ({ pausedAt }) => pausedAt !== null }),
    pausedAt: t.expose('pausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when nothing is sent; null when it is not paused.',
    }),
    pauseReason: t.exposeString('pauseReason', {
      nullable: true,
      description: 'Why the service paused it; null when a person did.',
    }),
    failureStreak: t.exposeInt('failureStreak', {
      description: 'Deliveries that failed since the last one that went well.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its settings last changed.' }),
    version: versionField(t),
    deliveries: connection(t, {
      type: DeliveryType,
      operation: listWebhookDeliveries,
      without: ['webhookId'],
      from: ({ id }) => ({ webhookId: id }),
      list: ({ id }, { status }, ctx) => deliveriesOfWebhook(ctx, id, { status: status ?? null }),
    }),
  }),
});

registerNode(WebhookType, 'webhook', loadWebhook);
readInGraph(getWebhook);

builder.objectFields(OrganizationType, (t) => ({
  webhooks: connection(t, {
    type: WebhookType,
    operation: listWebhooks,
    description: `${listWebhooks.description} FORBIDDEN for others.`,
    nullable: true,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
  }),
}));

mutation(createWebhook, {
  webhook: { type: WebhookType, description: 'The new webhook.', resolve: ({ webhook }) => webhook },
  secret: {
    type: 'String',
    nullable: true,
    description: 'Signs its deliveries. Shown this once: null when an idempotency key repeats the mutation.',
    resolve: ({ secret }) => secret,
  },
});

mutation(updateWebhook, {
  webhook: { type: WebhookType, description: 'The webhook as it is now.', resolve: ({ webhook }) => webhook },
});

mutation(deleteWebhook, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'Id of the deleted webhook; null when there was none that you may see.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'The organization that the webhook belonged to; null when nothing was deleted.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});

mutation(redeliverWebhookEvent, {
  delivery: { type: DeliveryType, description: 'The new delivery.', resolve: ({ delivery }) => delivery },
});
