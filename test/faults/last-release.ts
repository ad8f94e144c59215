import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURE = join(ROOT, 'test/fixtures/migrations-of-last-release.json');

const release = (): { version: string; migrations: Record<string, string> } =>
  JSON.parse(readFileSync(FIXTURE, 'utf8'));

/** The version of the last release. */
export const lastVersion = (): string => release().version;

/** Why the last release cannot be built here. */
export class NoReleaseError extends Error {}

/**
 * Builds the last release from the history of Git into a directory, with the packages of its own lock file from the
 * registry, and returns its commit. Throws `NoReleaseError` where the history is missing.
 */
export function buildLastRelease(directory: string): string {
  const commit = commitOf(lastVersion());
  const archive = git(['archive', commit]);
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  const npm = ['ci', '--no-audit', '--no-fund', '--prefer-offline'];
  const { status } = spawnSync('npm', npm, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('npm could not install the packages of the last release.');
  execFileSync(process.execPath, ['build.mjs'], { cwd: directory, stdio: 'inherit' });
  return commit;
}

/** The commit that set the version in `package.json`. */
function commitOf(version: string): string {
  // Its oldest commit seems to have set everything.
  if (git(['rev-parse', '--is-shallow-repository']).toString().trim() === 'true')
    throw new NoReleaseError('the clone is shallow: git fetch --unshallow');
  const changes = git(['log', '--format=%H', `-S"version": "${version}"`, '--', 'package.json'])
    .toString()
    .trim();
  const commit = changes.split('\n').at(-1);
  if (!commit) throw new NoReleaseError(`the history of Git does not reach back to version ${version}`);
  rejectOtherMigrations(commit);
  return commit;
}

/** Throws if a commit does not have the migrations of the last release. */
function rejectOtherMigrations(commit: string): void {
  const files = git(['ls-tree', '--name-only', commit, 'migrations/']).toString().trim().split('\n');
  const found = files.map((file) => basename(file, '.ts')).filter((name) => /^\d{4}-/.test(name));
  if (String(found.sort()) === String(Object.keys(release().migrations).sort())) return;
  throw new Error(`The commit ${commit} has other migrations than ${FIXTURE}. Correct the one that is wrong.`);
}

function git(words: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: ROOT, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new NoReleaseError(`there is no history of Git (${stderr?.toString().trim()})`);
  return stdout;
}
