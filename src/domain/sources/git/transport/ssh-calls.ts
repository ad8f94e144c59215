import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOfPush, RemoteError } from './fault-of.ts';
import { faultOfProgram } from './fault-of-program.ts';
import { callGit, type Ended } from './git-program.ts';
import { gitdirIn } from './gitdir-in.ts';
import type { PushInput } from './push-work.ts';
import type { RemoteFault } from './remote.ts';
import type { SshSession } from './ssh-command.ts';
import type { TransportOptions } from './transport.ts';

const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
/** Commits that can be looked through, with those that a branch had before. */
const MAX_COMMITS = 5_000;
/** The fetched tip of the branch. */
const TIP = 'refs/stemma/tip';

/** Calls of `git` for one repository on a server. Faults of the server are returned or thrown as `RemoteError`. */
export class SshCalls {
  readonly program: string;
  readonly #session: SshSession;
  readonly #options: TransportOptions;

  constructor(program: string, session: SshSession, options: TransportOptions) {
    this.program = program;
    this.#session = session;
    this.#options = options;
  }

  /** All refs of the server with their object IDs. */
  async refs(): Promise<{ ref: string; oid: string }[]> {
    const { output } = await this.#succeed(this.#session.folder, ['ls-remote', '--', this.#session.address]);
    return output.split('\n').flatMap((line) => {
      const [oid = '', ref] = line.split('\t');
      return ref === undefined || ref.endsWith('^{}') ? [] : [{ ref, oid }];
    });
  }

  /** Asks as before a push, which servers answer only to those who may push. No ref matches, so nothing is pushed. */
  async askForPush(): Promise<void> {
    const gitdir = join(this.#session.folder, 'empty.git');
    await this.init(gitdir);
    const refspec = 'refs/stemma/none/*:refs/stemma/none/*';
    await this.#succeed(gitdir, ['--git-dir=.', 'push', '--dry-run', '--', this.#session.address, refspec]);
  }

  /** Makes an empty repository. */
  async init(gitdir: string): Promise<void> {
    await mkdir(gitdir, { recursive: true });
    await this.#succeed(gitdir, ['init', '--quiet', '--bare', '--template=', '.']);
  }

  /** Fetches a number of commits of a branch. */
  async fetch(gitdir: string, ref: string, depth: number): Promise<RemoteFault | undefined> {
    const options = ['--no-tags', '--no-write-fetch-head', '--refmap=', '--progress', `--depth=${depth}`];
    const args = ['--git-dir=.', 'fetch', ...options, '--', this.#session.address, `+${ref}:${TIP}`];
    const ended = await this.#call(gitdir, args);
    return ended.code === 0 ? undefined : faultOfProgram(ended);
  }

  /** The fetched commits of the branch, latest first. */
  async fetchedCommits(gitdir: string): Promise<string[]> {
    const args = ['--git-dir=.', 'rev-list', `--max-count=${MAX_COMMITS}`, TIP, '--'];
    return (await this.#succeed(gitdir, args)).output.trim().split('\n');
  }

  /** Size of the fetched packs. */
  async packBytes(gitdir: string): Promise<number> {
    const folder = join(gitdir, 'objects', 'pack');
    const packs = (await readdir(folder)).filter((name) => name.endsWith('.pack'));
    const sizes = await Promise.all(packs.map(async (name) => (await stat(join(folder, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Pushes a commit to a branch that is still at its parent, or with `instead` to a branch that is replaced. */
  async push(
    branch: string,
    { folder, oid, parent, instead }: Omit<PushInput, 'remote'>,
  ): Promise<RemoteFault | undefined> {
    const ref = instead ?? branch;
    const force = instead === undefined ? `--force-with-lease=${ref}:${parent ?? ''}` : '--force';
    const args = ['--git-dir=.', 'push', '--porcelain', '--no-verify', force, '--', this.#session.address];
    const ended = await this.#call(gitdirIn(folder), [...args, `${oid}:${ref}`]);
    if (ended.code === 0) return undefined;
    const rejected = /^!\t[^\t]*\t\[(?:remote )?rejected\] \((.*)\)$/m.exec(ended.output)?.[1];
    return rejected === undefined ? faultOfProgram(ended) : faultOfPush(rejected);
  }

  async #succeed(cwd: string, args: string[]): Promise<Ended> {
    const ended = await this.#call(cwd, args);
    if (ended.code === 0) return ended;
    const { code, message } = faultOfProgram(ended);
    throw new RemoteError(code, message);
  }

  #call(cwd: string, args: string[]): Promise<Ended> {
    const { turn, limitMs } = this.#options;
    const { env } = this.#session;
    const bounds = { signal: turn.signal, limitMs, maxOutputBytes: MAX_OUTPUT_BYTES };
    return callGit({ program: this.program, cwd, args, env, ...bounds });
  }
}
