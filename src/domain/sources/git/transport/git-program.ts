import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { markErrorsHandled } from '../../../../lib/mark-handled.ts';
import { boundedCommand } from '../../../../platform/heavy-work/bounded-command.ts';
import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';

/** Maximum size of a file that the program writes, and so of a pack. */
export const MAX_FETCHED_PACK_BYTES = 1024 * 1024 * 1024;

/** Default of the maximum memory of one process, besides files that it maps. */
const DEFAULT_MEGABYTES = 512;
const PROCESSOR_SECONDS = 600;
const MAX_SAID = 20_000;

/** How the program ended. */
export interface GitExit {
  /** Exit code, or the name of the signal that ended it. */
  code: number | string;
  output: string;
  /** The end of its standard error. */
  said: string;
}

export interface GitCall {
  /** Path or name of the program. */
  program: string;
  cwd: string;
  args: readonly string[];
  /** Environment variables beside those of every call. */
  env?: Record<string, string>;
  /** Ends the program, and all that it started, when aborted. The reason is thrown. */
  signal: AbortSignal;
  /** Time limit without output. */
  limitMs: number;
  maxOutputBytes: number;
  /** Maximum memory of each process, besides files that it maps. Default: 512 MB. */
  megabytes?: number | undefined;
}

/**
 * Runs the program to its end, whatever its exit code is. Fails with `WorkExceeded`, the reason of the signal, or an
 * error with a `code` if the program cannot be started.
 */
export async function callGit({ signal, limitMs, maxOutputBytes, ...call }: GitCall): Promise<GitExit> {
  signal.throwIfAborted();
  const child = spawnGit(call);
  child.stdin.end();
  const ending = new AbortController();
  const expire = () => ending.abort(WorkExceeded.time(limitMs));
  const timer = setTimeout(expire, limitMs);
  const until = AbortSignal.any([signal, ending.signal]);
  const kill = () => killGroup(child.pid);
  until.addEventListener('abort', kill, { once: true });
  try {
    const output = { chunks: [] as Buffer[], bytes: 0, said: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      timer.refresh();
      output.bytes += chunk.length;
      if (output.bytes > maxOutputBytes) ending.abort(new OutputTooLarge(maxOutputBytes));
      else output.chunks.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      timer.refresh();
      output.said = (output.said + text).slice(-MAX_SAID);
    });
    const code = await waitForExit(child);
    until.throwIfAborted();
    return { code, output: Buffer.concat(output.chunks).toString('utf8'), said: output.said };
  } catch (error) {
    throw until.aborted ? until.reason : error;
  } finally {
    clearTimeout(timer);
    until.removeEventListener('abort', kill);
    killGroup(child.pid);
  }
}

/** The program printed more than it may. */
export class OutputTooLarge extends Error {
  override name = 'OutputTooLarge';

  constructor(bytes: number) {
    super(`It printed more than ${bytes} bytes.`);
  }
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts the program in a process group of its own, with limits of memory, processor time and sizes of files where the
 * system supports them. The program ignores the configuration of the system and of users, and gets only `PATH` of this
 * service's environment.
 */
export function spawnGit({
  program,
  cwd,
  args,
  env = {},
  megabytes = DEFAULT_MEGABYTES,
}: Pick<GitCall, 'program' | 'cwd' | 'args' | 'env' | 'megabytes'>): Child {
  const bounded = boundedCommand([program, ...gitArguments(args)], {
    megabytes,
    processorSeconds: PROCESSOR_SECONDS,
    fileBytes: MAX_FETCHED_PACK_BYTES,
  });
  const [command = '', ...rest] = bounded.command;
  const child = markErrorsHandled(
    spawn(command, rest, {
      cwd,
      detached: true,
      env: { ...gitEnvironment(cwd), ...env, ...bounded.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
  // The program does not always read what it is sent.
  child.stdin.on('error', () => {});
  return child;
}

/** Settings of every call: no code of others, no other protocol, and no work in the background. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.symlinks=false',
  'core.fsmonitor=false',
  'core.askPass=',
  'credential.helper=',
  'protocol.allow=never',
  'protocol.ssh.allow=always',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'fetch.unpackLimit=1',
  'gc.auto=0',
  'maintenance.auto=false',
  'pack.threads=1',
  'core.bigFileThreshold=32m',
];

const gitArguments = (args: readonly string[]): string[] => [
  ...SETTINGS.flatMap((setting) => ['-c', setting]),
  ...args,
];

/** The whole environment of the program, beside the command for SSH. */
const gitEnvironment = (home: string): Record<string, string> => ({
  PATH: SEARCHED,
  HOME: home,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'ssh',
  GIT_NO_REPLACE_OBJECTS: '1',
});

/** Workers have an empty environment, and the usual directories have `git` and `ssh`. */
const SEARCHED = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/** Resolves when a process has ended, with its exit code or the name of the signal that ended it. */
const waitForExit = (child: Child): Promise<number | string> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'no code'));
  });

/** Ends a process and those that it started. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
