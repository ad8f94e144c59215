import { runVitest } from './run-vitest.ts';

/** Runs all tests on the embedded PostgreSQL. */
process.exitCode = runVitest([]);
