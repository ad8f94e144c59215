import { sql } from 'kysely';
import { z } from 'zod';
import { DEAD_JOBS, JOBS_SCHEMA } from '../../platform/jobs/job-queue.ts';
import { query } from '../../platform/operation.ts';
import { operatorsOnly } from './operators-only.ts';

/** The jobs of one kind, counted. */
export interface JobQueueRow {
  name: string;
  ready: number;
  waiting: number;
  active: number;
  dead: number;
}

export const listJobQueues = query({
  name: 'listJobQueues',
  description: 'The kinds of background work, and how many jobs of each there are. For operators of this service.',
  input: z.object({}),
  async run(ctx): Promise<JobQueueRow[]> {
    operatorsOnly(ctx);
    const queue = sql.table(`${JOBS_SCHEMA}.queue`);
    const job = sql.table(`${JOBS_SCHEMA}.job`);
    const { rows } = await sql<JobQueueRow>`
      select q.name,
        count(j.id) filter (where j.name = q.name and j.state in ('created', 'retry') and j.start_after <= now()) as ready,
        count(j.id) filter (where j.name = q.name and j.state in ('created', 'retry') and j.start_after > now()) as waiting,
        count(j.id) filter (where j.name = q.name and j.state = 'active') as active,
        count(j.id) filter (where j.name = ${DEAD_JOBS}) as dead
      from ${queue} q
      left join ${job} j on j.state <= 'active'
        and (j.name = q.name or (j.name = ${DEAD_JOBS} and j.source_name = q.name))
      where q.name <> ${DEAD_JOBS} and q.name not like '\\_\\_%'
      group by q.name order by q.name`.execute(ctx.db);
    return rows;
  },
});
