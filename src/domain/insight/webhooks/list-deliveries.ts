import { sql } from 'kysely';
import { z } from 'zod';
import type { Row } from '../../../platform/database/tables.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { webhookFor } from './access.ts';
import { type DeliveryStatus, deliveryStatus } from './enums.ts';

export type DeliveryRow = Row<'webhook_delivery'>;

export const deliveriesOfWebhook = listing<{ status: DeliveryStatus | null }, DeliveryRow>({
  name: 'webhook.deliveries',
  select: sql`d.*`,
  from: (webhookId, { status }) => sql`
    from webhook_delivery d where d.webhook_id = ${webhookId} ${status === null ? sql`` : sql`and d.status = ${status}`}`,
  order: () => [
    { by: sql`d.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`d.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

export const listWebhookDeliveries = query({
  name: 'listWebhookDeliveries',
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
