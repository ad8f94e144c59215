import { z } from 'zod';
import { deleteExpired } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** Removes verifications of email addresses that have expired. The addresses stay claimed. */
export const removeExpiredVerifications = defineJob(
  'remove-expired-verifications',
  z.object({}),
  (ctx, _data, { signal }) => deleteExpired(ctx, 'email_verification', signal),
  { cron: '27 3 * * *' },
);
