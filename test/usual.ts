import { LONG_FILES, THOROUGH_FILES } from './long-files.ts';
import { runVitest } from './run-vitest.ts';

/** Runs all tests but the long and the thorough ones, on the embedded PostgreSQL. */
process.exitCode = runVitest({ exclude: [...LONG_FILES, ...THOROUGH_FILES].map((name) => `test/${name}`) });
