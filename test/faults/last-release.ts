import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURE = join(ROOT, 'test/fixtures/migrations-of-last-release.json');

/** The version of the last release. */
export const lastVersion = (): string => JSON.parse(readFileSync(FIXTURE, 'utf8')).version;

/** Why the last release cannot be built here. */
export class NoReleaseError extends Error {}

/**
 * Builds the last release from the history of Git into a directory, with the packages of its own lock file from the registry, and
 * returns its commit. Throws `NoReleaseError` where the history or the registry is missing.
 */
export function buildLastRelease(directory: string): string {
  const commit = commitOf(lastVersion());
  const archive = git(['archive', commit]);
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  const npm = ['ci', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline'];
  const { status } = spawnSync('npm', npm, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new NoReleaseError('npm could not install its packages');
  execFileSync(process.execPath, ['build.mjs'], { cwd: directory, stdio: 'inherit' });
  return commit;
}

/** The commit that set the version in `package.json`. */
function commitOf(version: string): string {
  const changes = git(['log', '--format=%H', `-S"version": "${version}"`, '--', 'package.json'])
    .toString()
    .trim();
  const commit = changes.split('\n').at(-1);
  if (!commit) throw new NoReleaseError(`the history of Git does not reach back to version ${version}`);
  return commit;
}

function git(words: string[]): Buffer {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: ROOT, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new NoReleaseError(`there is no history of Git (${stderr?.toString().trim()})`);
  return stdout;
}
