/** The database schema of the job queue, which pg-boss keeps. */
export const JOBS_SCHEMA = 'pgboss';
