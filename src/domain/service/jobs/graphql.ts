import { builder, type FieldsOf } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { listDeadJobs } from './list-dead-jobs.ts';
import { listJobQueues } from './list-job-queues.ts';
import { deadJob, jobQueue } from './resources.ts';
import { retryDeadJobs } from './retry-dead-jobs.ts';

const JobQueueType = typeOf(jobQueue);
const DeadJobType = typeOf(deadJob);

readInGraph(listJobQueues);
builder.queryFields((t) => ({
  jobQueues: t.field({
    type: [JobQueueType],
    nullable: true,
    description: `${listJobQueues.description} FORBIDDEN if you are not an operator.`,
    resolve: (_root, _args, ctx) => listJobQueues(ctx, {}),
  }),
  // `connection` only uses methods that the field builder of the root type has too.
  deadJobs: connection(t as unknown as FieldsOf<object>, {
    type: DeadJobType,
    operation: listDeadJobs,
    description: `${listDeadJobs.description} FORBIDDEN if you are not an operator.`,
    nullable: true,
  }),
}));

mutation(retryDeadJobs, {
  retriedCount: {
    type: 'Int',
    description: 'Number of jobs that were returned to their queues.',
    resolve: ({ retriedCount }) => retriedCount,
  },
});
