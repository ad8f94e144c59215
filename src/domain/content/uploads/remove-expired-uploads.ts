import { sql } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

const BATCH = 1_000;

/** Removes uploads that nobody can use any more. Their bytes stay until content that nothing reaches is collected. */
export const removeExpiredUploads = defineJob(
  'remove-expired-uploads',
  z.object({}),
  async (ctx, _data, { signal }) => {
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const { numAffectedRows } = await sql`
        delete from upload where id in (
          select id from upload where expires_at <= ${nowOf(ctx)}::timestamptz limit ${sql.lit(BATCH)})`.execute(
        ctx.db,
      );
      removed = Number(numAffectedRows ?? 0);
    }
  },
  { cron: '23 * * * *' },
);
