import { type RawBuilder, sql } from 'kysely';
import { JOBS_SCHEMA } from '../database/jobs-schema.ts';
import type { Job } from './job.ts';

/**
 * How long a run can go without an update and without a job. One in progress usually gets one every second
 * (`watchRun`), and its job is inserted in the transaction that creates it.
 */
const WITHOUT_JOB_MS = 2 * 60 * 1000;

/** Number of lost runs that a job ends at a time. */
export const LOST_AT_ONCE = 100;

/** A table of runs, and the jobs that do them. */
interface Runs {
  /** The name of the table in the statement. It has a column `id`. */
  table: string;
  job: Job;
  /** The member of the job's data with the id of the run. */
  member: string;
  /** Column of the status. Default: `status`. */
  status?: string;
  /** Statuses of runs that are queued or in progress. Default: `pending` and `in-progress`. */
  unfinished?: readonly string[];
  /** Column with the time of the latest change of the status or the progress. Default: `updated_at`. */
  since?: string;
}

/**
 * The condition that a run no longer has a job: the job was killed at every attempt, or it died before it could begin.
 * Runs that wait in the queue have one, however long they wait.
 */
export function isWithoutJob(
  now: Date,
  { table, job, member, status = 'status', unfinished = ['pending', 'in-progress'], since = 'updated_at' }: Runs,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(${column(status)} in (${sql.join(unfinished.map((each) => sql.lit(each)))})
    and ${column(since)} < ${new Date(now.getTime() - WITHOUT_JOB_MS).toISOString()}
    and not exists (select from ${sql.table(`${JOBS_SCHEMA}.job`)} j
      where j.name = ${job.name} and j.state <= 'active' and j.data ->> ${member} = ${column('id')}))`;
}
