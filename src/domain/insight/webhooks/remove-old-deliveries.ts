import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import { deleteInBatches } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

const DELIVERIES_PER_BATCH = 5_000;
const KEPT_MS = 30 * DAY_MS;

/** Deletes deliveries after 30 days. */
export const removeOldDeliveries = defineJob(
  'remove-old-deliveries',
  z.object({}),
  async ({ db, services }, _data, { signal }) => {
    const oldest = new Date(services.clock().getTime() - KEPT_MS).toISOString();
    const deleteSome = async (limit: number) => {
      const old = db.selectFrom('webhook_delivery').where('createdAt', '<', oldest).select('id').limit(limit);
      const { numDeletedRows } = await db.deleteFrom('webhook_delivery').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    };
    await deleteInBatches(signal, deleteSome, DELIVERIES_PER_BATCH);
  },
  { cron: '53 * * * *' },
);
