import { LONG_FILES } from './long-files.ts';
import { runVitest } from './run-vitest.ts';

/** Runs the long tests on the embedded PostgreSQL. */
process.exitCode = runVitest({ files: LONG_FILES.map((name) => `test/${name}`) });
