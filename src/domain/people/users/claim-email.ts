import { sql } from 'kysely';
import { HOUR_MS } from '../../../lib/durations.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { EntityRow } from '../../../platform/database/entity-from-row.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { recordAccountEvent } from '../access/index.ts';
import type { User } from './entity.ts';
import { sendEmailNotice } from './send-email-notice.ts';
import { sendEmailVerification, VALID_MS } from './send-email-verification.ts';

/** Number of times that a user can claim an address within an hour. Each sends an email. */
const MAX_REQUESTS = 5;
const WINDOW_MS = HOUR_MS;

/**
 * Stores an address that a user claims, in the transaction of a command, and sends a link to it. The link of an earlier
 * claim no longer works. Notifies the verified address, which stays until the new one is proved. Without a mail server,
 * the address waits for an operator. RATE_LIMITED after too many claims.
 */
export async function claimEmail(ctx: Context, user: EntityRow<typeof User>, email: string): Promise<void> {
  const userId = user.id;
  user.unverifiedEmail = email;
  await ctx.em.flush();
  const requestedAt = await countRequest(ctx, userId, email);
  if (ctx.services.mailer) {
    await enqueue(ctx, sendEmailVerification, { userId, requestedAt });
    await enqueue(ctx, sendEmailNotice, { userId, to: null, about: 'requested' });
  }
  await recordAccountEvent(ctx, { kind: 'user_email_requested', ids: { userId } });
}

async function countRequest(ctx: Context, userId: string, email: string): Promise<string> {
  const now = nowOf(ctx);
  const after = (milliseconds: number) => new Date(Date.parse(now) + milliseconds).toISOString();
  const isNewWindow = sql`email_verification.window_start <= ${after(-WINDOW_MS)}::timestamptz`;
  const { windowStart, requests } = await ctx.db
    .insertInto('email_verification')
    .values({ userId, email, requestedAt: now, expiresAt: after(VALID_MS), windowStart: now })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((row) => ({
        email: row.ref('excluded.email'),
        secretHash: null,
        requestedAt: row.ref('excluded.requestedAt'),
        expiresAt: row.ref('excluded.expiresAt'),
        windowStart: sql<string>`case when ${isNewWindow} then excluded.window_start else email_verification.window_start end`,
        requests: sql<number>`case when ${isNewWindow} then 1 else email_verification.requests + 1 end`,
      })),
    )
    .returning(['windowStart', 'requests'])
    .executeTakeFirstOrThrow();
  if (requests <= MAX_REQUESTS) return now;
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(windowStart) + WINDOW_MS - Date.parse(now)) / 1_000));
  throw new ApiError(
    'RATE_LIMITED',
    `The address was changed ${MAX_REQUESTS} times within an hour. Try again in ${retryAfterSeconds} seconds.`,
    [],
    { retryAfterSeconds },
  );
}
