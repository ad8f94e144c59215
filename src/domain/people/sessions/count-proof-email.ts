import { randomBytes } from 'node:crypto';
import { HOUR_MS } from '../../../lib/durations.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';

/** What counted emails of SSO have instead of the network of a browser. */
export const SSO_PROOF = 'sso proof';

/** Number of these emails to an account within an hour, whoever asks for them. */
const MAX_AN_HOUR = 3;

/**
 * Counts an email that proves an account in a sign-in with SSO, in a transaction that has locked the account. False if
 * the account has got as many as it may. The count does not depend on the sign-in, which can be ended and repeated.
 */
export async function countProofEmail(
  ctx: Context,
  { userId, email }: { userId: string; email: string },
): Promise<boolean> {
  const now = nowOf(ctx);
  const { count } = await ctx.db
    .selectFrom('sign_in_request')
    .where('userId', '=', userId)
    .where('network', '=', SSO_PROOF)
    .where('sentAt', '>', new Date(Date.parse(now) - HOUR_MS).toISOString())
    .select((sent) => sent.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= MAX_AN_HOUR) return false;
  await ctx.db
    .insertInto('sign_in_request')
    .values({
      id: randomBytes(16).toString('hex'),
      email: email.toLowerCase(),
      network: SSO_PROOF,
      // Of no browser: this row cannot sign in a user.
      browserHash: randomBytes(32),
      returnTo: '/',
      userId,
      sentAt: now,
      usedAt: now,
      createdAt: now,
      expiresAt: now,
    })
    .execute();
  return true;
}
