import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import type { Job } from './job.ts';
import { JOBS_SCHEMA } from './queue.ts';

/** How long a run can be queued before it counts as lost. */
const QUEUED_MS = DAY_MS;
/** How long work in progress can go without an update. */
const SILENT_MS = 2 * HOUR_MS;

/**
 * How long a run can go without an update and without a job. One in progress usually gets one every second (`watchRun`), and its job is
 * inserted in the transaction that creates it.
 */
const WITHOUT_JOB_MS = 2 * 60 * 1000;

/** Number of lost runs that a job ends at a time. */
export const LOST_AT_ONCE = 100;

/** The columns of a table of runs, and the status of those in progress. */
interface RunColumns {
  status: string;
  running: string;
  /** Time of the last update. */
  since: string;
}

/**
 * The condition that the job of a run was killed at every attempt, for runs that are not updated while they go on. Those that are
 * queued have the status `pending`.
 */
export function isLost(now: Date, { status, running, since }: RunColumns): RawBuilder<boolean> {
  return sql<boolean>`((${sql.ref(status)} = ${sql.lit(running)} and ${sql.ref(since)} < ${timeBefore(now, SILENT_MS)})
    or (${sql.ref(status)} = 'pending' and ${sql.ref(since)} < ${timeBefore(now, QUEUED_MS)}))`;
}

/**
 * The condition that a run no longer has a job: the job was killed at every attempt, or it died before it could begin. For tables
 * of runs with the columns `id`, `status` and `updated_at`, which `watchRun` updates. `table` is the name of the table in the
 * statement, and `member` the one of the job's data with the id of the run.
 */
export function isWithoutJob(
  now: Date,
  { table, job, member }: { table: string; job: Job; member: string },
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(${column('status')} in ('pending', 'in-progress')
    and ${column('updated_at')} < ${timeBefore(now, WITHOUT_JOB_MS)}
    and not exists (select from ${sql.table(`${JOBS_SCHEMA}.job`)} j
      where j.name = ${job.name} and j.state <= 'active' and j.data ->> ${member} = ${column('id')}))`;
}

const timeBefore = (now: Date, milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();
