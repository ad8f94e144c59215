import { builder, type FieldsOf } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { type DeadJobRow, listDeadJobs } from './list-dead-jobs.ts';
import { type JobQueueRow, listJobQueues } from './list-job-queues.ts';
import { retryDeadJobs } from './retry-dead-jobs.ts';

const JobQueueType = builder.objectRef<JobQueueRow>('JobQueue').implement({
  description: 'A kind of background work, and how many jobs of it there are.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Which kind of work it is.' }),
    ready: t.exposeInt('ready', { description: 'Jobs that wait for a worker.' }),
    waiting: t.exposeInt('waiting', { description: 'Jobs whose time has not come, retries among them.' }),
    active: t.exposeInt('active', { description: 'Jobs that run.' }),
    dead: t.exposeInt('dead', { description: 'Jobs that failed for good: see `deadJobs`.' }),
  }),
});

const DeadJobType = builder.objectRef<DeadJobRow>('DeadJob').implement({
  description: 'A job that failed as often as it may.',
  fields: (t) => ({
    jobId: t.exposeID('id', { description: 'Identifies the job in `retryDeadJobs`.' }),
    queue: t.exposeString('queue', { description: 'The kind of work.' }),
    data: t.expose('data', { type: 'JSONObject', description: 'What it was to work on.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why the last attempt failed.' }),
    failedAt: t.expose('failedAt', { type: 'DateTime', description: 'When the last attempt failed.' }),
  }),
});

readInGraph(listJobQueues);
builder.queryFields((t) => ({
  jobQueues: t.field({
    type: [JobQueueType],
    nullable: true,
    description: `${listJobQueues.description} FORBIDDEN for others.`,
    resolve: (_root, _args, ctx) => listJobQueues(ctx, {}),
  }),
  // A connection uses what the root's field builder has too.
  deadJobs: connection(t as unknown as FieldsOf<object>, {
    type: DeadJobType,
    operation: listDeadJobs,
    description: `${listDeadJobs.description} FORBIDDEN for others.`,
    nullable: true,
    without: [],
    from: () => ({}),
  }),
}));

mutation(retryDeadJobs, {
  retriedCount: {
    type: 'Int',
    description: 'How many of them went back into their queues.',
    resolve: ({ retriedCount }) => retriedCount,
  },
});
