import { sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import { deleteInBatches } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

const ROWS_PER_BATCH = 5_000;
const KEPT_DAYS = 400;

/** Deletes counters of visits after 400 days. */
export const removeOldInsights = defineJob(
  'remove-old-insights',
  z.object({}),
  async ({ db, services }, _data, { signal }) => {
    const oldest = new Date(services.clock().getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
    const deleteSome = async (limit: number) => {
      const { numAffectedRows } = await sql`
        delete from site_insight where ctid in (
          select c.ctid from site_insight c where c.day < ${oldest}::date limit ${sql.lit(limit)})`.execute(db);
      return Number(numAffectedRows);
    };
    await deleteInBatches(signal, deleteSome, ROWS_PER_BATCH);
  },
  { cron: '17 3 * * *' },
);
