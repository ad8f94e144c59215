import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { conflict, notFound, orNull } from '../../../platform/errors/errors.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { webhookForChange } from './access.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import type { DeliveryRow } from './list-deliveries.ts';

export const redeliverWebhookEvent = command({
  name: 'redeliverWebhookEvent',
  scope: 'admin',
  description: 'Sends the event of a delivery again, as a new delivery. CONFLICT if the webhook is paused.',
  input: z.object({
    deliveryId: idOf('delivery'),
  }),
  authorize: (ctx, { deliveryId = '' }) => deliveryFor(ctx, deliveryId),
  async run(ctx, { deliveryId }): Promise<{ delivery: DeliveryRow }> {
    const { delivery: old, webhook } = await deliveryFor(ctx, deliveryId);
    if (webhook.pausedAt !== null) throw conflict('This webhook is paused. Resume it first.');
    const delivery = await ctx.db
      .insertInto('webhook_delivery')
      .values({
        id: newId('delivery'),
        organizationId: old.organizationId,
        webhookId: old.webhookId,
        eventId: old.eventId,
        createdAt: nowOf(ctx),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await enqueue(ctx, deliverWebhook, { deliveryId: delivery.id }, { group: webhook.organizationId });
    return { delivery };
  },
  // `node` does not find deliveries.
  async readAgain(ctx, { delivery: { id } }) {
    return { delivery: (await deliveryFor(ctx, id)).delivery };
  },
});

async function deliveryFor(ctx: Context, id: string) {
  const delivery = await ctx.db.selectFrom('webhook_delivery').where('id', '=', id).selectAll().executeTakeFirst();
  if (!delivery) throw notFound('delivery', id);
  const webhook = await orNull(webhookForChange(ctx, delivery.webhookId));
  if (!webhook) throw notFound('delivery', id);
  return { delivery, webhook };
}
