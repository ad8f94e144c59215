import { fromKysely } from 'pg-boss';
import { z } from 'zod';
import { DEAD_JOBS } from '../../../platform/jobs/queue.ts';
import { command } from '../../../platform/operation/operation.ts';
import { operatorsOnly } from './operators-only.ts';

export const retryDeadJobs = command({
  name: 'retryDeadJobs',
  scope: 'admin',
  description: 'Returns dead jobs to their queues, where they run again. Only for operators of the service.',
  input: z.object({
    jobIds: z
      .array(z.uuid('must be the ID of a dead job'))
      .min(1)
      .max(100)
      .describe('IDs of 1 to 100 dead jobs. Jobs that are no longer dead are ignored.'),
  }),
  authorize: async (ctx) => operatorsOnly(ctx),
  async run(ctx, { jobIds }) {
    operatorsOnly(ctx);
    const { boss } = ctx.services.jobs;
    return { retriedCount: await boss.redrive(DEAD_JOBS, { ids: jobIds, db: fromKysely(ctx.db) }) };
  },
});
