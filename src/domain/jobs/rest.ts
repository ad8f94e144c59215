import { listRoute, type Route, route } from '../../platform/http/route.ts';
import { type DeadJobRow, listDeadJobs } from './list-dead-jobs.ts';
import { listJobQueues } from './list-job-queues.ts';
import { retryDeadJobs } from './retry-dead-jobs.ts';

const presentDeadJob = ({ id, queue, data, error, failed_at }: DeadJobRow) => ({
  object: 'dead-job',
  id,
  queue,
  data,
  ...(error === null ? {} : { error }),
  failedAt: failed_at,
});

export const jobRoutes: Route[] = [
  route('GET', '/v1/jobs', listJobQueues, {
    operationId: 'listJobQueues',
    present: (queues) => ({ items: queues.map((queue) => ({ object: 'job-queue', ...queue })) }),
  }),
  listRoute('/v1/jobs/dead', listDeadJobs, { operationId: 'listDeadJobs', present: presentDeadJob }),
  route('POST', '/v1/jobs/dead/retry', retryDeadJobs, {
    operationId: 'retryDeadJobs',
    rename: { jobs: 'jobIds' },
    present: ({ retriedCount }) => ({ retried: retriedCount }),
  }),
];
