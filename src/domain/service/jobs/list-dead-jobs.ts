import { sql } from 'kysely';
import { z } from 'zod';
import { JOBS_SCHEMA } from '../../../platform/database/jobs-schema.ts';
import { DEAD_JOBS } from '../../../platform/jobs/queue.ts';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { desc } from '../../../platform/paging/order.ts';
import { operatorsOnly } from './operators-only.ts';

/** A job that failed after its last retry. */
export type DeadJobRow = {
  id: string;
  queue: string;
  data: Record<string, unknown>;
  error: string | null;
  failedAt: string;
};

const deadJobs = listing<object, DeadJobRow>({
  name: 'jobs.dead',
  from: sql`${sql.table(`${JOBS_SCHEMA}.job`)} j`,
  select: sql`j.id::text as id, j.source_name as queue, j.data, j.source_output ->> 'message' as error, j.created_on::timestamptz(3) as failed_at`,
  where: [sql`j.name = ${DEAD_JOBS}`, sql`j.state = 'created'`],
  order: [desc('failedAt', 'timestamptz', sql`j.created_on::timestamptz(3)`), desc('id', 'text', sql`j.id::text`)],
});

export const listDeadJobs = query({
  name: 'listDeadJobs',
  description:
    'Lists jobs that failed after their last retry, newest first. They are kept for 90 days and not retried automatically. Only for operators of the service.',
  input: z.object({}),
  async run(ctx) {
    operatorsOnly(ctx);
    return deadJobs(ctx, 'all', {});
  },
});
