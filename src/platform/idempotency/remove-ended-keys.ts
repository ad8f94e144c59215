import { z } from 'zod';
import { defineJob } from '../jobs/job.ts';
import { removeEndedKeys } from './claim.ts';

/** Deletes expired idempotency keys every hour. */
export const removeEndedKeysJob = defineJob(
  'remove-ended-keys',
  z.object({}),
  ({ db, services }, _data, { signal }) => removeEndedKeys(db, services.clock(), signal),
  { cron: '7 * * * *' },
);
