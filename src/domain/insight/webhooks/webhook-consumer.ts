import { sql } from 'kysely';
import { nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { EventConsumer } from '../../../platform/events/event-consumer.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { enqueueAll } from '../../../platform/jobs/enqueue.ts';
import { deliverWebhook } from './deliver-webhook.ts';

/** Creates a delivery for each event and each webhook that subscribes to its kind and was created before it. */
export const webhookConsumer: EventConsumer = {
  name: 'webhooks',
  // Webhooks do not get events from before their creation, so that starting with the first event is harmless.
  begins: 'first-event',
  async take(ctx, events) {
    const rows = await ctx.db
      .selectFrom('event as e')
      .innerJoin('webhook as w', 'w.organizationId', 'e.organizationId')
      .where('e.id', '=', anyOf(events.map(({ id }) => id)))
      .where('w.pausedAt', 'is', null)
      .whereRef('w.createdAt', '<=', 'e.createdAt')
      .where(sql<boolean>`(w.kinds = '{}' or e.kind = any(w.kinds))`)
      .select(['w.id as webhookId', 'w.organizationId', 'e.id as eventId'])
      .orderBy('e.transactionId')
      .orderBy('e.id')
      .execute();
    if (rows.length === 0) return;
    const deliveries = rows.map((row) => ({ id: newId('delivery'), ...row, createdAt: nowOf(ctx) }));
    await ctx.db.insertInto('webhook_delivery').values(deliveries).execute();
    const jobs = deliveries.map(({ id, organizationId }) => ({ data: { deliveryId: id }, group: organizationId }));
    await enqueueAll(ctx, deliverWebhook, jobs);
  },
};
