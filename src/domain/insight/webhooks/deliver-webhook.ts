import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { defineJob, type Job } from '../../../platform/jobs/job.ts';
import { transact } from '../../../platform/operation/transact.ts';
import type { WebhookRow } from './access.ts';
import type { DeliveryRow } from './list-deliveries.ts';
import { type DeliveryAttempt, sendEvent } from './send-event.ts';
import { PAUSED_AFTER } from './settings.ts';

const data = z.object({ deliveryId: z.string() });

/** Attempts after the first one. */
const RETRIES = 3;

/**
 * Makes one attempt of a delivery. A failed attempt does not fail the job: it is stored, and the next attempt is
 * enqueued in the same transaction. If the process ends before that, the job runs again: events are delivered at least
 * once. Jobs are grouped by organization, so that slow receivers of one organization leave slots for others, however
 * many webhooks it has.
 */
export const deliverWebhook: Job<typeof data> = defineJob(
  'deliver-webhook',
  data,
  async (ctx, { deliveryId }) => {
    const delivery = await ctx.db
      .selectFrom('webhook_delivery')
      .where('id', '=', deliveryId)
      .selectAll()
      .executeTakeFirst();
    if (delivery?.status !== 'pending') return;
    const [webhook, event] = await Promise.all([
      ctx.db.selectFrom('webhook').where('id', '=', delivery.webhookId).selectAll().executeTakeFirst(),
      ctx.db.selectFrom('event').where('id', '=', delivery.eventId).selectAll().executeTakeFirst(),
    ]);
    if (!webhook) return;
    const attempt = event ? await attemptOf(ctx, webhook, event, deliveryId) : WITHOUT_EVENT;
    await transact(ctx, (inside) => note(inside, delivery, webhook, attempt));
  },
  { concurrency: 16, concurrencyPerGroup: 2, expiresIn: 60 },
);

const attemptOf = async (
  ctx: Context,
  webhook: WebhookRow,
  event: Row<'event'>,
  deliveryId: string,
): Promise<DeliveryAttempt> =>
  webhook.pausedAt === null ? sendEvent(ctx.services, webhook, event, deliveryId) : WHILE_PAUSED;

const unsent = (error: string): DeliveryAttempt => ({
  isDelivered: false,
  mayRetry: false,
  responseStatus: null,
  error,
  milliseconds: 0,
});

const WHILE_PAUSED = unsent('The webhook was paused.');
/** Events can be removed earlier than deliveries. */
const WITHOUT_EVENT = unsent('The event no longer exists.');

/**
 * Stores the result of an attempt and decides about the next one. Does nothing if another run of the job already did.
 */
async function note(
  ctx: Context,
  { id, attempts }: DeliveryRow,
  webhook: WebhookRow,
  attempt: DeliveryAttempt,
): Promise<void> {
  const isRetried = attempt.mayRetry && attempts < RETRIES;
  const noted = await ctx.db
    .updateTable('webhook_delivery')
    .set({
      status: isRetried ? 'pending' : outcomeOf(attempt),
      attempts: attempts + 1,
      responseStatus: attempt.responseStatus,
      error: attempt.error,
      milliseconds: attempt.milliseconds,
      attemptedAt: nowOf(ctx),
    })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  if (noted.numUpdatedRows !== 1n) return;
  if (isRetried) {
    const options = { group: webhook.organizationId, startAfter: secondsBefore(attempts) };
    await enqueue(ctx, deliverWebhook, { deliveryId: id }, options);
  } else if (attempt.isDelivered) {
    await forgetFailures(ctx, webhook);
  } else if (attempt !== WHILE_PAUSED && attempt !== WITHOUT_EVENT) {
    await countFailure(ctx, webhook);
  }
}

const outcomeOf = ({ isDelivered }: DeliveryAttempt) => (isDelivered ? 'succeeded' : 'failed');

/** 1, 2 and 4 seconds plus up to 25%, so that deliveries that failed together are not retried together. */
const secondsBefore = (retry: number) => 2 ** retry * (1 + Math.random() / 4);

/** Others can have failed while this one was under way. */
async function forgetFailures({ db }: Context, { id }: WebhookRow): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ failureStreak: 0 })
    .where('id', '=', id)
    .where('failureStreak', '>', 0)
    .execute();
}

/** Counts a failed delivery. Too many in a row pause the webhook and record an event. */
async function countFailure(ctx: Context, { id, organizationId }: WebhookRow): Promise<void> {
  const webhook = await ctx.db
    .updateTable('webhook')
    .set((update) => ({ failureStreak: update('failureStreak', '+', 1) }))
    .where('id', '=', id)
    .returning(['failureStreak', 'pausedAt'])
    .executeTakeFirst();
  if (!webhook || webhook.pausedAt !== null || webhook.failureStreak < PAUSED_AFTER) return;
  const pauseReason = `${webhook.failureStreak} deliveries in a row failed.`;
  await ctx.db
    .updateTable('webhook')
    .set({ pausedAt: nowOf(ctx), pauseReason })
    .where('id', '=', id)
    .execute();
  await recordEvent(ctx, { kind: 'webhook_paused', organizationId, ids: { webhookId: id } });
}
