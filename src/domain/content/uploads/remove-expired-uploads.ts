import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

const BATCH = 1_000;

/** Removes expired uploads. Their blobs remain until garbage collection. */
export const removeExpiredUploads = defineJob(
  'remove-expired-uploads',
  z.object({}),
  async (ctx, _data, { signal }) => {
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const ended = ctx.db.selectFrom('upload').where('expiresAt', '<=', nowOf(ctx)).select('id').limit(BATCH);
      const { numDeletedRows } = await ctx.db.deleteFrom('upload').where('id', 'in', ended).executeTakeFirst();
      removed = Number(numDeletedRows);
    }
  },
  { cron: '23 * * * *' },
);
