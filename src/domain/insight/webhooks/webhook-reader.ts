import { sql } from 'kysely';
import { nowOf } from '../../../platform/context.ts';
import type { EventReader } from '../../../platform/events/event-reader.ts';
import { newId } from '../../../platform/ids.ts';
import { enqueueAll } from '../../../platform/jobs/enqueue.ts';
import { deliverWebhook } from './deliver-webhook.ts';

/** Makes a delivery of every event for every webhook that wants it and was there before it. */
export const webhookReader: EventReader = {
  name: 'webhooks',
  // A webhook gets no event that was recorded before it was made.
  begins: 'first-event',
  async take(ctx, events) {
    const { rows } = await sql<{ webhookId: string; organizationId: string; eventId: string }>`
      select w.id as webhook_id, w.organization_id, e.id as event_id
      from event e join webhook w on w.organization_id = e.organization_id
      where e.id = any(${events.map(({ id }) => id)}::text[]) and w.paused_at is null and w.created_at <= e.created_at
        and (w.kinds = '{}' or e.kind = any(w.kinds))
      order by e.transaction_id, e.id`.execute(ctx.db);
    if (rows.length === 0) return;
    const deliveries = rows.map((row) => ({ id: newId('delivery'), ...row, createdAt: nowOf(ctx) }));
    await ctx.db.insertInto('webhook_delivery').values(deliveries).execute();
    const jobs = deliveries.map(({ id, webhookId }) => ({ data: { deliveryId: id }, group: webhookId }));
    await enqueueAll(ctx, deliverWebhook, jobs);
  },
};
