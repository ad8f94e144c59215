import type { PgBoss } from 'pg-boss';

/** The background work of one process, as requests use it. */
export interface JobQueue {
  readonly boss: PgBoss;
  /** Makes this process look for such jobs at once. */
  wake(name: string): void;
}
