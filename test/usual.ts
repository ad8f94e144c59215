import { LONG_FILES } from './long-files.ts';
import { runVitest } from './run-vitest.ts';

/** Runs all tests but the long ones, on the embedded PostgreSQL. */
process.exitCode = runVitest({ exclude: LONG_FILES.map((name) => `test/${name}`) });
