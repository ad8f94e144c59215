import { z } from 'zod';
import { countJobs, type JobCounts } from '../../../platform/jobs/count-jobs.ts';
import { query } from '../../../platform/operation.ts';
import { operatorsOnly } from './operators-only.ts';

export type JobQueueRow = JobCounts;

export const listJobQueues = query({
  name: 'listJobQueues',
  description: 'The kinds of background work, and how many jobs of each there are. For operators of this service.',
  input: z.object({}),
  async run(ctx): Promise<JobQueueRow[]> {
    operatorsOnly(ctx);
    return countJobs(ctx.db);
  },
});
