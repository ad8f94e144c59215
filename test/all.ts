import { THOROUGH_FILES } from './long-files.ts';
import { runVitest } from './run-vitest.ts';

/** Runs all tests but the thorough ones, on the embedded PostgreSQL. */
process.exitCode = runVitest({ exclude: THOROUGH_FILES.map((name) => `test/${name}`) });
