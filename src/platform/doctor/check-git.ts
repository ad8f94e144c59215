import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type CheckResult, fail, pass, reasonOf } from './check-result.ts';

/** The oldest versions with all options that are used. */
const MIN_GIT = [2, 30] as const;
const MIN_SSH = [7, 6] as const;
const LIMIT_MS = 10_000;

const run = promisify(execFile);

/**
 * Whether the programs `git` and `ssh` can be used for repositories over SSH, if the setting GIT_PROGRAM asks for it.
 */
export async function checkGit(program: string | undefined): Promise<CheckResult> {
  if (program === undefined)
    return pass('git', 'not used; repositories are reached over HTTP only, because GIT_PROGRAM is not set');
  const git = await versionOf(program, ['--version'], /git version (\d+)\.(\d+)\S*/);
  if ('reason' in git)
    return fail('git', `${program} cannot be used (${git.reason}). Install git, or correct GIT_PROGRAM.`);
  if (isOlder(git.version, MIN_GIT)) return fail('git', `${git.text}. Upgrade to ${MIN_GIT.join('.')} or newer.`);
  const ssh = await versionOf('ssh', ['-V'], /OpenSSH_(?:for_Windows_)?(\d+)\.(\d+)\w*/);
  if ('reason' in ssh)
    return fail('git', `${git.text}, but ssh cannot be used (${ssh.reason}). Install OpenSSH's client.`);
  if (isOlder(ssh.version, MIN_SSH)) return fail('git', `${ssh.text}. Upgrade to ${MIN_SSH.join('.')} or newer.`);
  // It refuses users without an entry in the database of users, as containers can have.
  const works = await versionOf('ssh', ['-F', '/dev/null', '-G', 'localhost'], /^port (\d+)()/m);
  if ('reason' in works)
    return fail(
      'git',
      `ssh cannot be used (${works.reason}). Add the user of the service to the user database, for example /etc/passwd.`,
    );
  return pass('git', `${git.text} with ${ssh.text}, for repositories over SSH`);
}

async function versionOf(
  program: string,
  args: string[],
  pattern: RegExp,
): Promise<{ version: number[]; text: string } | { reason: string }> {
  try {
    const { stdout, stderr } = await run(program, args, { timeout: LIMIT_MS });
    const [text = '', ...version] = pattern.exec(`${stdout}${stderr}`) ?? [];
    return text === '' ? { reason: 'it does not print its version' } : { version: version.map(Number), text };
  } catch (error) {
    return { reason: reasonOf(error).split('\n')[0] ?? '' };
  }
}

const isOlder = ([major = 0, minor = 0]: readonly number[], [minMajor, minMinor]: readonly [number, number]) =>
  major < minMajor || (major === minMajor && minor < minMinor);
