import { globSync, readFileSync } from 'node:fs';
import { THOROUGH_FILES } from './long-files.ts';
import { runVitest } from './run-vitest.ts';

/**
 * Files that do more in this run (`how-thorough.ts`): laws on ten times as many cases, and matrices with every caller.
 */
const more = globSync('test/**/*.test.ts').filter((path) => readFileSync(path, 'utf8').includes("/how-thorough.ts'"));

/** Runs what takes too long for every change: before a release, and after changes of what these tests are about. */
process.exitCode = runVitest({
  files: [...new Set([...THOROUGH_FILES.map((name) => `test/${name}`), ...more])],
  env: { ...process.env, LAW_RUNS: '10' },
});
