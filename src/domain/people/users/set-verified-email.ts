import { type Context, nowOf } from '../../../platform/context/context.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { conflict, notFound } from '../../../platform/errors/errors.ts';
import { enqueue } from '../../../platform/jobs/enqueue.ts';
import { recordAccountEvent } from '../access/index.ts';
import { User } from './entity.ts';
import { sendEmailNotice } from './send-email-notice.ts';

constraintMeans('user_email_unique', () => conflict('Another account has this verified email address.'));

/**
 * Makes a proved address the verified one of a user, in the transaction of a command, and tells the former address. The
 * verification that was under way ends. CONFLICT if another account has verified the address.
 */
export async function setVerifiedEmail(ctx: Context, userId: string, email: string): Promise<void> {
  const user = await lockEntity(ctx, User, { id: userId });
  if (!user) throw notFound('user', userId);
  const former = user.email;
  ctx.em.assign(user, { email, unverifiedEmail: null, updatedAt: nowOf(ctx) });
  await ctx.em.flush();
  await withdrawVerification(ctx, userId);
  const isOther = former !== null && former.toLowerCase() !== email.toLowerCase();
  if (isOther && ctx.services.mailer) await enqueue(ctx, sendEmailNotice, { userId, to: former, about: 'changed' });
  await recordAccountEvent(ctx, { kind: 'user_email_verified', ids: { userId } });
}

/** Makes the link of a verification useless, if one was sent. */
export async function withdrawVerification({ db }: Context, userId: string): Promise<void> {
  await db.updateTable('email_verification').set({ secretHash: null }).where('userId', '=', userId).execute();
}
