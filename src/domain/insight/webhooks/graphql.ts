import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { loadWebhook } from './access.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { deliveriesOfWebhook, listWebhookDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { redeliverWebhookEvent } from './redeliver-webhook-event.ts';
import { webhook, webhookDelivery } from './resources.ts';
import { updateWebhook } from './update-webhook.ts';

const DeliveryType = typeOf(webhookDelivery);
const WebhookType = typeOf(webhook);

builder.objectFields(WebhookType, (t) => ({
  deliveries: connection(t, {
    type: DeliveryType,
    operation: listWebhookDeliveries,
    parent: 'webhookId',
    list: ({ id }, { status }, ctx) => deliveriesOfWebhook(ctx, id, { status: status ?? null }),
  }),
}));

registerNode(WebhookType, 'webhook', loadWebhook);
readInGraph(getWebhook);

builder.objectFields(OrganizationType, (t) => ({
  webhooks: connection(t, {
    type: WebhookType,
    operation: listWebhooks,
    description: `${listWebhooks.description} FORBIDDEN if you are not an admin.`,
    nullable: true,
    parent: 'organizationId',
  }),
}));

mutation(createWebhook, {
  webhook: { type: WebhookType, description: 'The new webhook.', resolve: (created) => created.webhook },
  secret: {
    type: 'String',
    nullable: true,
    description:
      'Secret that signs deliveries. Returned only once: null if the mutation is repeated with the same idempotency key.',
    resolve: ({ secret }) => secret,
  },
});

mutation(updateWebhook, {
  webhook: { type: WebhookType, description: 'The updated webhook.', resolve: (updated) => updated.webhook },
  secret: {
    type: 'String',
    nullable: true,
    description:
      'New secret that signs deliveries, if the URL has another scheme, host or port than before, or if the former secret cannot be read. Null otherwise, and if the mutation is repeated with the same idempotency key.',
    resolve: ({ secret }) => secret,
  },
});

mutation(deleteWebhook, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted webhook. Null if the webhook did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the webhook belonged to. Null if nothing was deleted.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});

mutation(redeliverWebhookEvent, {
  delivery: { type: DeliveryType, description: 'The new delivery.', resolve: ({ delivery }) => delivery },
});
