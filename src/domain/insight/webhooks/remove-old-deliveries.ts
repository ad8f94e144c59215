import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';

const BATCH = 5_000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes deliveries after 30 days. */
export const removeOldDeliveries = defineJob(
  'remove-old-deliveries',
  z.object({}),
  async ({ db, services }, _data, { signal }) => {
    const oldest = new Date(services.clock().getTime() - KEPT_MS).toISOString();
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const old = db.selectFrom('webhook_delivery').where('createdAt', '<', oldest).select('id').limit(BATCH);
      const { numDeletedRows } = await db.deleteFrom('webhook_delivery').where('id', 'in', old).executeTakeFirst();
      removed = Number(numDeletedRows);
    }
  },
  { cron: '53 * * * *' },
);
