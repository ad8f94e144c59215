import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { countShape } from '../../../platform/shapes/shapes.ts';
import { listDeadJobs } from './list-dead-jobs.ts';
import { listJobQueues } from './list-job-queues.ts';
import { deadJob, jobQueue } from './resources.ts';
import { retryDeadJobs } from './retry-dead-jobs.ts';

export const jobRoutes: Route[] = [
  route('GET', '/v1/jobs', listJobQueues, {
    operationId: 'listJobQueues',
    shape: () => z.object({ items: z.array(shapeOf(jobQueue)).describe('The queues.') }),
    present: async (queues, ctx) => ({
      items: await Promise.all(queues.map((queue) => present(jobQueue, queue, ctx))),
    }),
  }),
  listRoute('/v1/jobs/dead', listDeadJobs, {
    operationId: 'listDeadJobs',
    response: resourceResponse(deadJob),
  }),
  route('POST', '/v1/jobs/dead/retry', retryDeadJobs, {
    operationId: 'retryDeadJobs',
    shape: z.object({ retried: countShape('Number of jobs that were returned to their queues.') }),
    rename: { jobs: 'jobIds' },
    present: ({ retriedCount }) => ({ retried: retriedCount }),
  }),
];
