import { type RawBuilder, sql } from 'kysely';

/** How long a run can be queued before it counts as lost. */
const QUEUED_MS = 24 * 60 * 60 * 1000;
/** How long a run in progress can go without an update, which usually comes every second (`watchRun`). */
const SILENT_MS = 2 * 60 * 60 * 1000;

/** Number of lost runs that a job ends at a time. */
export const LOST_AT_ONCE = 100;

/** The columns of a table of runs, and the status of those in progress. */
interface RunColumns {
  status: string;
  running: string;
  /** Time of the last update. */
  since: string;
}

const COLUMNS: RunColumns = { status: 'status', running: 'in-progress', since: 'updated_at' };

/** The condition that the job of a run was killed at every attempt. Runs that are queued have the status `pending`. */
export function isLost(now: Date, { status, running, since }: RunColumns = COLUMNS): RawBuilder<boolean> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();
  return sql<boolean>`((${sql.ref(status)} = ${sql.lit(running)} and ${sql.ref(since)} < ${before(SILENT_MS)})
    or (${sql.ref(status)} = 'pending' and ${sql.ref(since)} < ${before(QUEUED_MS)}))`;
}
