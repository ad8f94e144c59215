import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
/** More failed files than this are no accident of timing. */
const MOST_UNSTABLE = 3;

interface Outcome {
  status: number;
  failed: string[];
}

interface Selection {
  /** Parts of paths of the files to run. All files by default. */
  files?: readonly string[];
  /** Paths of files that are left out. */
  exclude?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/**
 * Runs test files and returns the exit status. With `RERUN=1`, for machines that are shared, up to three files that
 * failed run a second time, by themselves. If they pass, the run passes, and they are printed as unstable: each is a
 * fault of the test or of the service that is to be found.
 */
export function runVitest({ files = [], exclude = [], env = process.env }: Selection): number {
  const excluded = exclude.flatMap((path) => ['--exclude', path]);
  const first = run([...files, ...excluded], env);
  const mayRerun = env.RERUN === '1' && first.failed.length > 0 && first.failed.length <= MOST_UNSTABLE;
  if (first.status === 0 || !mayRerun) return first.status;
  console.error(`\nRunning again what failed: ${first.failed.join(', ')}\n`);
  const second = run(first.failed, env);
  if (second.status !== 0) return second.status;
  console.error(`\nUnstable, failed among all tests and passed alone: ${first.failed.join(', ')}`);
  return 0;
}

function run(words: readonly string[], env: NodeJS.ProcessEnv): Outcome {
  const directory = mkdtempSync(join(tmpdir(), 'stemma-vitest-'));
  const report = join(directory, 'report.json');
  try {
    const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { status } = spawnSync(process.execPath, [VITEST, 'run', ...words, ...reporting], {
      env,
      stdio: 'inherit',
    });
    return { status: status ?? 1, failed: status === 0 ? [] : failedIn(report) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The paths of failed files. None if Vitest ended before it wrote its report, or failed for another reason. */
function failedIn(report: string): string[] {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { name: string; status: string }[];
    };
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(ROOT, name));
  } catch {
    return [];
  }
}
