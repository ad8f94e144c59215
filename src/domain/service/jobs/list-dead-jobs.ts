import { sql } from 'kysely';
import { z } from 'zod';
import { DEAD_JOBS, JOBS_SCHEMA } from '../../../platform/jobs/queue-names.ts';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
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
  select: sql`j.id::text as id, j.source_name as queue, j.data, j.source_output ->> 'message' as error, j.created_on::timestamptz(3) as failed_at`,
  from: () => sql`from ${sql.table(`${JOBS_SCHEMA}.job`)} j where j.name = ${DEAD_JOBS} and j.state = 'created'`,
  order: () => [
    { by: sql`j.created_on::timestamptz(3)`, key: 'failedAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`j.id::text`, key: 'id', direction: 'desc', type: 'text' },
  ],
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
