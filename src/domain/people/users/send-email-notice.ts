import { z } from 'zod';
import { defineJob, type Job } from '../../../platform/jobs/job.ts';

const data = z.object({
  userId: z.string(),
  /** The former address, after it has changed. Null for the one that the user has. */
  to: z.string().nullable(),
  about: z.enum(['requested', 'changed', 'passkey']),
});

const TEXTS = {
  requested: {
    subject: 'A new email address was requested for your account',
    text: 'A person with access to your account asked to change its email address. It changes once the new address is confirmed.',
  },
  changed: {
    subject: 'The email address of your account has changed',
    text: 'The email address of your account was changed. This address no longer belongs to it.',
  },
  passkey: {
    subject: 'A passkey was added to your account',
    text: 'A new passkey can sign in to your account. Your account page lists your passkeys.',
  },
};

/**
 * Tells the verified address of a user that another one was requested or that a passkey was added, or the former one
 * that it was replaced.
 */
export const sendEmailNotice: Job<typeof data> = defineJob(
  'send-email-notice',
  data,
  async (ctx, { userId, to, about }) => {
    const { mailer, config } = ctx.services;
    const user = await ctx.db
      .selectFrom('user')
      .where('id', '=', userId)
      .select(['displayName', 'email'])
      .executeTakeFirst();
    const address = to ?? user?.email ?? null;
    if (!mailer || !user || address === null) return;
    const { subject, text } = TEXTS[about];
    const paragraphs = [
      `Account "${user.displayName}" of the documentation service at ${config.publicUrl}:`,
      text,
      'If this was not you, revoke your access tokens and tell an operator of the service.',
    ];
    await mailer.send({ to: address, subject, paragraphs });
  },
  { concurrency: 4, expiresIn: 120 },
);
