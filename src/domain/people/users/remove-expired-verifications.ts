import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** Removes verifications of email addresses that have expired. The addresses stay claimed. */
export const removeExpiredVerifications = defineJob(
  'remove-expired-verifications',
  z.object({}),
  async (ctx) => {
    await ctx.db.deleteFrom('email_verification').where('expiresAt', '<=', nowOf(ctx)).execute();
  },
  { cron: '27 3 * * *' },
);
