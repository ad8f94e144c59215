import { z } from 'zod';
import { listRoute, type Route, route } from '../../../platform/http/route.ts';
import { anyMembers, countIn, namedShape, objectIs, timeIn } from '../../../platform/shapes.ts';
import { type DeadJobRow, listDeadJobs } from './list-dead-jobs.ts';
import { listJobQueues } from './list-job-queues.ts';
import { retryDeadJobs } from './retry-dead-jobs.ts';

const presentDeadJob = ({ id, queue, data, error, failedAt }: DeadJobRow) => ({
  object: 'dead-job',
  id,
  queue,
  data,
  ...(error === null ? {} : { error }),
  failedAt,
});

const deadJobShape = namedShape('DeadJob', 'A job that failed as often as it may.', {
  object: objectIs('dead-job'),
  id: z.uuid().describe('Its id.'),
  queue: z.string().describe('The kind of job.'),
  data: anyMembers('What the job was to work on.'),
  error: z.string().optional().describe('The message of the last failure.'),
  failedAt: timeIn('When it was given up.'),
});

const jobQueueShape = namedShape('JobQueue', 'The jobs of one kind, counted.', {
  object: objectIs('job-queue'),
  name: z.string().describe('The kind of job.'),
  ready: countIn('Those that could run now.'),
  waiting: countIn('Those that are to run later.'),
  active: countIn('Those that run.'),
  dead: countIn('Those that were given up.'),
});

export const jobRoutes: Route[] = [
  route('GET', '/v1/jobs', listJobQueues, {
    operationId: 'listJobQueues',
    shape: z.object({ items: z.array(jobQueueShape).describe('Every kind of job.') }),
    present: (queues) => ({ items: queues.map((queue) => ({ object: 'job-queue', ...queue })) }),
  }),
  listRoute('/v1/jobs/dead', listDeadJobs, {
    operationId: 'listDeadJobs',
    shape: deadJobShape,
    present: presentDeadJob,
  }),
  route('POST', '/v1/jobs/dead/retry', retryDeadJobs, {
    operationId: 'retryDeadJobs',
    shape: z.object({ retried: countIn('How many of them run again.') }),
    rename: { jobs: 'jobIds' },
    present: ({ retriedCount }) => ({ retried: retriedCount }),
  }),
];
