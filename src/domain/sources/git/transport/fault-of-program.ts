import { lineFrom } from '../../../../platform/shapes/cut-text.ts';
import type { GitExit } from './git-program.ts';
import type { RemoteFault } from './remote.ts';

/** What `git`, `ssh` and the usual servers print, by what it means. The first one that fits decides. */
const MEANINGS: [RegExp, RemoteFault['code'], string][] = [
  [
    /host key verification failed|remote host identification has changed/i,
    'HOST_KEY',
    'The host has another key than those that the connection trusts, so nothing was sent to it.',
  ],
  [/couldn't find remote ref/i, 'NO_BRANCH', 'The repository has no such branch.'],
  [
    /marked as read only|not allowed to push|write access|access denied for push|read.only (?:key|access)/i,
    'UNAUTHORIZED',
    'The server accepts the key of the connection, but not for pushes.',
  ],
  [
    /permission denied \(|too many authentication failures|no supported authentication/i,
    'UNAUTHORIZED',
    'The server refuses the key of the connection.',
  ],
  [
    /not appear to be a git repository|not found|could not be found|does not exist|no such file or directory/i,
    'NOT_FOUND',
    'The server has no such repository, or hides it from the key of the connection.',
  ],
  [
    /connection (?:refused|timed out|reset|closed)|operation timed out|no route to host|network is unreachable|banner exchange|timeout, server|kex_exchange/i,
    'UNREACHABLE',
    'The server cannot be reached over SSH.',
  ],
  [/file too large|file size limit|SIGXFSZ/i, 'TOO_LARGE', 'The repository is larger than the allowed 1 GiB.'],
  [/out of memory|cannot allocate/i, 'TOO_LARGE', 'The repository takes too much memory.'],
];

/** The program could not be started. */
const CANNOT_START = /^(?:sh|\/bin\/sh|setpriv): .*(?:not found|No such file|Permission denied)/m;

const MAX_REASON = 200;

/** Why a call of `git` failed. What the server printed is shown at most in part. */
export function faultOfProgram({ code, said }: Pick<GitExit, 'code' | 'said'>): RemoteFault {
  if ((code === 127 || code === 126) && CANNOT_START.test(said)) {
    return { code: 'UNREACHABLE', message: 'The program of the setting GIT_PROGRAM cannot be started.' };
  }
  const text = `${said}\n${code}`;
  const meaning = MEANINGS.find(([pattern]) => pattern.test(text));
  if (meaning) return { code: meaning[1], message: meaning[2] };
  const last = said
    .split(/[\r\n]/)
    .filter((line) => /^(?:fatal|error|ERROR|remote):? /.test(line))
    .at(-1);
  const reason = last === undefined ? `It ended with ${code}.` : lineFrom(last, MAX_REASON);
  return { code: 'UNREADABLE', message: `The repository cannot be used: ${reason}` };
}
