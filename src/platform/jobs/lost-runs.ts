import { type RawBuilder, sql } from 'kysely';

/** How long a run can be queued before it counts as lost. */
const QUEUED_MS = 24 * 60 * 60 * 1000;
/** How long a run in progress can go without an update, which usually comes every second (`watchRun`). */
const SILENT_MS = 2 * 60 * 60 * 1000;

/** Number of lost runs that a job ends at a time. */
export const LOST_AT_ONCE = 100;

/**
 * The condition that the job of a run was killed at every attempt, for tables of runs with the columns `status` and
 * `updated_at`.
 */
export function isLost(now: Date): RawBuilder<boolean> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();
  return sql<boolean>`((status = 'in-progress' and updated_at < ${before(SILENT_MS)})
    or (status = 'pending' and updated_at < ${before(QUEUED_MS)}))`;
}
