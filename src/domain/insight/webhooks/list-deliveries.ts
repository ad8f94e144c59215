import { sql } from 'kysely';
import { z } from 'zod';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { webhookFor } from './access.ts';
import { type DeliveryStatus, deliveryStatus } from './enums.ts';

export type DeliveryRow = Row<'webhook_delivery'>;

export const deliveriesOfWebhook = listing<{ status: DeliveryStatus | null }, DeliveryRow>({
  name: 'webhook.deliveries',
  from: 'webhook_delivery as d',
  parent: 'webhookId',
  where: ({ status }) => [status !== null && sql`d.status = ${status}`],
  order: newestFirst,
});

export const listWebhookDeliveries = query({
  name: 'listWebhookDeliveries',
  scope: 'admin',
  description: 'Lists the deliveries of a webhook, newest first. Deliveries are kept for 30 days.',
  input: z.object({
    webhookId: idOf('webhook'),
    status: deliveryStatus.nullish().describe('Only deliveries with this status.'),
  }),
  authorize: (ctx, { webhookId = '' }) => webhookFor(ctx, webhookId),
  async run(ctx, { webhookId, status = null }) {
    const { id } = await webhookFor(ctx, webhookId);
    return deliveriesOfWebhook(ctx, id, { status });
  },
});
