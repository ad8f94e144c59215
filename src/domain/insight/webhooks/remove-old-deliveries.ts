import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

const BATCH = 5_000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Removes deliveries from the log after 30 days. */
export const removeOldDeliveries = defineJob(
  'remove-old-deliveries',
  z.object({}),
  async ({ db, services }, _data, { signal }) => {
    const oldest = new Date(services.clock().getTime() - KEPT_MS).toISOString();
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const { numAffectedRows } = await sql`
        delete from webhook_delivery where id in (
          select id from webhook_delivery where created_at < ${oldest}::timestamptz limit ${sql.lit(BATCH)})`.execute(
        db,
      );
      removed = Number(numAffectedRows ?? 0);
    }
  },
  { cron: '53 * * * *' },
);
