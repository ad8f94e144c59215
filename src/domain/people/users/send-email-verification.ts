import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import { hashToken } from '../../../platform/access/credentials.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { defineJob, type Job } from '../../../platform/jobs/job.ts';

/** A link in an email is valid for a day. */
export const VALID_MS = DAY_MS;

const data = z.object({ userId: z.string(), requestedAt: z.string() });

/**
 * Sends the link that verifies a claimed address, unless the claim was replaced. The secret is made here and stored as
 * a hash: an attempt that is repeated sends another link, and the latest one works.
 */
export const sendEmailVerification: Job<typeof data> = defineJob(
  'send-email-verification',
  data,
  async (ctx, { userId, requestedAt }) => {
    const { mailer, config } = ctx.services;
    if (!mailer) return;
    const secret = randomBytes(32).toString('base64url');
    const claimed = await ctx.db
      .updateTable('email_verification as v')
      .from('user as u')
      .whereRef('u.id', '=', 'v.userId')
      .whereRef('u.unverifiedEmail', '=', 'v.email')
      .where('v.userId', '=', userId)
      .where('v.requestedAt', '=', requestedAt)
      .where('v.expiresAt', '>', nowOf(ctx))
      .set({ secretHash: hashToken(secret) })
      .returning(['v.email', 'v.expiresAt', 'u.displayName'])
      .executeTakeFirst();
    if (!claimed) return;
    const { email, expiresAt, displayName } = claimed;
    const paragraphs = [
      `The account "${displayName}" of the documentation service at ${config.publicUrl} asks to use this address as its own.`,
      `If this is your account, open this link and confirm it. It is valid until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC and can be used once:`,
      { link: `${config.publicUrl}/account/verify-email?secret=${secret}` },
      'If it is not your account, ignore this email. The address is then not used.',
    ];
    await mailer.send({ to: email, subject: 'Confirm your email address', paragraphs });
  },
  { concurrency: 4, expiresIn: 120 },
);
