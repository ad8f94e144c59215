import { type Context, nowOf } from '../../../platform/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { conflict, notFound } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { sendEmailNotice } from './send-email-notice.ts';

constraintMeans('user_email_unique', () => conflict('Another account has this verified email address.'));

/**
 * Makes a proved address the verified one of a user, in the transaction of a command, and tells the former address. The
 * verification that was under way ends. CONFLICT if another account has verified the address.
 */
export async function takeEmail(ctx: Context, userId: string, email: string): Promise<void> {
  const former = await ctx.db
    .selectFrom('user')
    .where('id', '=', userId)
    .select('email')
    .forUpdate()
    .executeTakeFirst();
  if (!former) throw notFound('user', userId);
  await ctx.db
    .updateTable('user')
    .set({ email, unverifiedEmail: null, updatedAt: nowOf(ctx) })
    .where('id', '=', userId)
    .execute();
  await withdrawVerification(ctx, userId);
  const isOther = former.email !== null && former.email.toLowerCase() !== email.toLowerCase();
  if (isOther && ctx.services.mailer)
    await enqueue(ctx, sendEmailNotice, { userId, to: former.email, about: 'changed' });
  await recordEvent(ctx, { kind: 'user_email_verified', organizationId: null, ids: { userId } });
}

/** Makes the link of a verification useless, if one was sent. */
export async function withdrawVerification({ db }: Context, userId: string): Promise<void> {
  await db.updateTable('email_verification').set({ secretHash: null }).where('userId', '=', userId).execute();
}
