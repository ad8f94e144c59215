import { z } from 'zod';
import { countJobs, type JobCounts } from '../../../platform/jobs/count-jobs.ts';
import { query } from '../../../platform/operation/operation.ts';
import { operatorsOnly } from './operators-only.ts';

export type JobQueueRow = JobCounts;

export const listJobQueues = query({
  name: 'listJobQueues',
  description:
    'Lists the queues of background jobs with the number of jobs in each. Only for operators of the service.',
  input: z.object({}),
  async run(ctx): Promise<JobQueueRow[]> {
    operatorsOnly(ctx);
    return countJobs(ctx.db);
  },
});
