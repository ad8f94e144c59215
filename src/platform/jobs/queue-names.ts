/** The schema of the database that the queue keeps to itself. */
export const JOBS_SCHEMA = 'pgboss';

/** Where jobs go that have failed for good, from all queues. */
export const DEAD_JOBS = 'dead';
