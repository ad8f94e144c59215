import { resource } from '../../../platform/resource/resource.ts';
import type { DeadJobRow } from './list-dead-jobs.ts';
import type { JobQueueRow } from './list-job-queues.ts';

export const jobQueue = resource<JobQueueRow>(
  { name: 'JobQueue', object: 'job-queue', description: 'A queue of background jobs of one kind.' },
  (f) => ({
    name: f.string('Name of the queue.', ({ name }) => name),
    ready: f.count('Number of jobs that wait for a worker.', ({ ready }) => ready),
    waiting: f.count('Number of jobs that are scheduled for later, including retries.', ({ waiting }) => waiting),
    active: f.count('Number of running jobs.', ({ active }) => active),
    dead: f.count('Number of dead jobs: jobs that failed after their last retry.', ({ dead }) => dead),
  }),
);

export const deadJob = resource<DeadJobRow>(
  { name: 'DeadJob', object: 'dead-job', description: 'A job that failed after its last retry.' },
  (f) => ({
    jobId: f.uuid('ID of the job, for `retryDeadJobs`.', ({ id }) => id, { rest: 'id' }),
    queue: f.string('Name of the queue.', ({ queue }) => queue),
    data: f.jsonObject()('Input of the job.', ({ data }) => data),
    error: f.string.optional('Error message of the last failure. Null if unknown.', ({ error }) => error),
    failedAt: f.time('Time of the last failure.', ({ failedAt }) => failedAt),
  }),
);
