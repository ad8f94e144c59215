import { sql } from 'kysely';
import { JOBS_SCHEMA } from '../database/jobs-schema.ts';
import type { Database } from '../database/tables.ts';
import { DEAD_JOBS } from './queue.ts';

/** Number of jobs of one kind by state. */
export interface JobCounts {
  name: string;
  ready: number;
  waiting: number;
  active: number;
  dead: number;
}

/** Counts the jobs of every kind, of all processes. */
export async function countJobs(db: Database): Promise<JobCounts[]> {
  const queue = sql.table(`${JOBS_SCHEMA}.queue`);
  const job = sql.table(`${JOBS_SCHEMA}.job`);
  const { rows } = await sql<JobCounts>`
    select q.name,
      count(j.id) filter (where j.name = q.name and j.state in ('created', 'retry') and j.start_after <= now()) as ready,
      count(j.id) filter (where j.name = q.name and j.state in ('created', 'retry') and j.start_after > now()) as waiting,
      count(j.id) filter (where j.name = q.name and j.state = 'active') as active,
      count(j.id) filter (where j.name = ${DEAD_JOBS}) as dead
    from ${queue} q
    left join ${job} j on j.state <= 'active'
      and (j.name = q.name or (j.name = ${DEAD_JOBS} and j.source_name = q.name))
    where q.name <> ${DEAD_JOBS} and q.name not like '\\_\\_%'
    group by q.name order by q.name`.execute(db);
  return rows;
}

/** How many seconds the oldest job of each kind has been overdue, or 0. */
export async function jobsLag(db: Database): Promise<{ queue: string; seconds: number }[]> {
  const { rows } = await sql<{ queue: string; seconds: number }>`
    select q.name as queue, coalesce(extract(epoch from now() - min(j.start_after)), 0)::float8 as seconds
    from ${sql.table(`${JOBS_SCHEMA}.queue`)} q
    left join ${sql.table(`${JOBS_SCHEMA}.job`)} j on j.name = q.name and j.state in ('created', 'retry') and j.start_after <= now()
    where q.name <> ${DEAD_JOBS} and q.name not like '\\_\\_%'
    group by q.name order by q.name`.execute(db);
  return rows;
}
