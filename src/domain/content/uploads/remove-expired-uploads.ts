import { z } from 'zod';
import { deleteExpired } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** Removes expired uploads. Their blobs remain until garbage collection. */
export const removeExpiredUploads = defineJob(
  'remove-expired-uploads',
  z.object({}),
  (ctx, _data, { signal }) => deleteExpired(ctx, 'upload', signal),
  { cron: '23 * * * *' },
);
