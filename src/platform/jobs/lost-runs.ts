import { type RawBuilder, sql } from 'kysely';
import type { Job } from './job.ts';
import { JOBS_SCHEMA } from './queue-names.ts';

/**
 * How long a run can go without an update. One in progress usually gets one every second (`watchRun`), and its job is inserted in
 * the transaction that creates it.
 */
const SILENT_MS = 2 * 60 * 1000;

/** Number of lost runs that a job ends at a time. */
export const LOST_AT_ONCE = 100;

/**
 * The condition that a run has no job any more: its job was killed at every attempt, or it died before it could begin. For tables
 * of runs with the columns `id`, `status` and `updated_at`. `table` is the name of the table in the statement, and `member` the
 * one of the job's data with the id of the run.
 */
export function isLost(now: Date, { table, job, member }: { table: string; job: Job; member: string }): RawBuilder<boolean> {
  const before = new Date(now.getTime() - SILENT_MS).toISOString();
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(${column('status')} in ('pending', 'in-progress') and ${column('updated_at')} < ${before}
    and not exists (select from ${sql.table(`${JOBS_SCHEMA}.job`)} j
      where j.name = ${job.name} and j.state <= 'active' and j.data ->> ${member} = ${column('id')}))`;
}
