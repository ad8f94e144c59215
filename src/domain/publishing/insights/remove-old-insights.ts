import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

const BATCH = 5_000;
const KEPT_DAYS = 400;

/** Deletes counters of visits after 400 days. */
export const removeOldInsights = defineJob(
  'remove-old-insights',
  z.object({}),
  async ({ db, services }, _data, { signal }) => {
    const oldest = new Date(services.clock().getTime() - KEPT_DAYS * 86_400_000).toISOString().slice(0, 10);
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const { numAffectedRows } = await sql`
        delete from site_insight where ctid in (
          select c.ctid from site_insight c where c.day < ${oldest}::date limit ${sql.lit(BATCH)})`.execute(db);
      removed = Number(numAffectedRows);
    }
  },
  { cron: '17 3 * * *' },
);
