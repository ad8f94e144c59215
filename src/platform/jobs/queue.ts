import type { PgBoss } from 'pg-boss';

/** The queue of dead jobs of all kinds. */
export const DEAD_JOBS = 'dead';

/** The job queue as used by requests. */
export interface JobQueue {
  readonly boss: PgBoss;
  /** Makes this process fetch jobs of this kind at once. */
  wake(name: string): void;
}
