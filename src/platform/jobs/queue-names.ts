/** The database schema of the queue. */
export const JOBS_SCHEMA = 'pgboss';

/** The queue of dead jobs of all kinds. */
export const DEAD_JOBS = 'dead';
