import { execFileSync } from 'node:child_process';
import { runVitest } from './run-vitest.ts';

// Tests that start the service run what users run.
execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' });
/** Runs all tests on the embedded PostgreSQL. */
process.exitCode = runVitest([]);
