import { z } from 'zod';
import { deleteExpired } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** Removes challenges that were not signed in time. */
export const removeExpiredChallenges = defineJob(
  'remove-expired-challenges',
  z.object({}),
  (ctx, _data, { signal }) => deleteExpired(ctx, 'passkey_challenge', signal),
  { cron: '17 * * * *' },
);
