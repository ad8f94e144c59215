import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKER_MEGABYTES } from '../../../../platform/heavy-work/kinds.ts';
import { ownModule } from '../../../../platform/own-files.ts';
import { faultOfProgram } from './fault-of-program.ts';
import { gitdirIn } from './git-objects.ts';
import { callGit, type GitExit, MAX_FETCHED_PACK_BYTES } from './git-program.ts';
import { openBatch } from './object-batch.ts';
import type { work as readTipWork, Tip, TipInput } from './read-tip.ts';
import type { Remote, SshAccess } from './remote.ts';
import { errorOf, faultOfPush, noBranch } from './remote-fault.ts';
import type { ServerRef, ServerRepository } from './server-repository.ts';
import { openSsh, type SshSession } from './ssh-command.ts';
import type { PushInput, TransportOptions } from './transport.ts';

const readTipModule = ownModule('domain/sources/git/transport/read-tip.ts');

/** Only listings are large. This process keeps them in its memory. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Maximum memory of a program that lists branches: that of a worker that lists them over HTTP. */
const LISTING_MEGABYTES = WORKER_MEGABYTES.list;
/** What `git` fails with after the server has accepted a push, if neither side has a ref. */
const NO_REFS = /^No refs in common and none specified/m;
/** The fetched tip of the branch. */
const TIP = 'refs/stemma/tip';

/** Opens a repository over SSH, and closes it at the end. The first contact pins the keys of the host. */
export async function withSshRepository<Result>(
  remote: Remote,
  access: SshAccess,
  options: TransportOptions,
  act: (repository: ServerRepository) => Promise<Result>,
): Promise<Result> {
  await using session = await openSsh(remote, access);
  try {
    return await act(new SshRepository(remote.ref, access.program, session, options));
  } finally {
    if (access.hostKeys.length === 0) await access.pin(await session.hostKeys());
  }
}

/** A repository over SSH, with the program `git` in processes of its own. */
class SshRepository implements ServerRepository {
  readonly branch: string;
  readonly maxPackBytes = MAX_FETCHED_PACK_BYTES;
  readonly #program: string;
  readonly #session: SshSession;
  readonly #options: TransportOptions;

  constructor(branch: string, program: string, session: SshSession, options: TransportOptions) {
    this.branch = branch;
    this.#program = program;
    this.#session = session;
    this.#options = options;
  }

  async refs(forPush: boolean): Promise<ServerRef[]> {
    if (forPush) await this.#askForPush();
    const args = ['ls-remote', '--heads', '--tags', '--', this.#session.address];
    const { output } = await this.#succeed(this.#session.folder, args, LISTING_MEGABYTES);
    return output.split('\n').flatMap((line) => {
      const [oid = '', ref] = line.split('\t');
      return ref === undefined || ref.endsWith('^{}') ? [] : [{ ref, oid }];
    });
  }

  /** Pushes nothing, since no ref matches. */
  async #askForPush(): Promise<void> {
    const gitdir = join(this.#session.folder, 'empty.git');
    await this.#init(gitdir);
    const refspec = 'refs/stemma/none/*:refs/stemma/none/*';
    const args = ['--git-dir=.', 'push', '--dry-run', '--', this.#session.address, refspec];
    const ended = await this.#call(gitdir, args, LISTING_MEGABYTES);
    if (ended.code !== 0 && !NO_REFS.test(ended.said)) throw errorOf(faultOfProgram(ended));
  }

  async fetch(gitdir: string, depth: number): Promise<string | null> {
    await this.#init(gitdir);
    const options = ['--no-tags', '--no-write-fetch-head', '--refmap=', '--progress', `--depth=${depth}`];
    const refspec = `+${this.branch}:${TIP}`;
    const ended = await this.#call(gitdir, ['--git-dir=.', 'fetch', ...options, '--', this.#session.address, refspec]);
    const fault = ended.code === 0 ? undefined : faultOfProgram(ended);
    if (fault?.code === 'NO_BRANCH') {
      if ((await this.refs(false)).length > 0) throw noBranch(this.branch);
      return null;
    }
    if (fault) throw errorOf(fault);
    return (await this.#succeed(gitdir, ['--git-dir=.', 'rev-parse', '--verify', TIP])).output.trim();
  }

  openObjects(gitdir: string) {
    return openBatch(gitdir, this.#program);
  }

  async readTip(input: TipInput): Promise<Tip> {
    const { slot, limitMs } = this.#options;
    const options = { limitMs, onMessage: () => {} };
    const read = await slot.inWorker<typeof readTipWork>(readTipModule, { ...input, program: this.#program }, options);
    if ('fault' in read) throw errorOf(read.fault);
    return read.tip;
  }

  async push({ folder, oid, parent, instead }: PushInput): Promise<void> {
    const ref = instead ?? this.branch;
    const force = instead === undefined ? `--force-with-lease=${ref}:${parent ?? ''}` : '--force';
    const args = ['--git-dir=.', 'push', '--porcelain', '--no-verify', force, '--', this.#session.address];
    const ended = await this.#call(gitdirIn(folder), [...args, `${oid}:${ref}`]);
    if (ended.code === 0) return;
    const rejected = /^!\t[^\t]*\t\[(?:remote )?rejected\] \((.*)\)$/m.exec(ended.output)?.[1];
    throw errorOf(rejected === undefined ? faultOfProgram(ended) : faultOfPush(rejected));
  }

  /** Makes an empty repository, unless there is one. */
  async #init(gitdir: string): Promise<void> {
    if ((await mkdir(gitdir, { recursive: true })) === undefined) return;
    await this.#succeed(gitdir, ['init', '--quiet', '--bare', '--template=', '.']);
  }

  async #succeed(cwd: string, args: string[], megabytes?: number): Promise<GitExit> {
    const ended = await this.#call(cwd, args, megabytes);
    if (ended.code === 0) return ended;
    throw errorOf(faultOfProgram(ended));
  }

  #call(cwd: string, args: string[], megabytes?: number): Promise<GitExit> {
    const { slot, limitMs } = this.#options;
    const { env } = this.#session;
    const bounds = { signal: slot.signal, limitMs, maxOutputBytes: MAX_OUTPUT_BYTES, megabytes };
    return callGit({ program: this.#program, cwd, args, env, ...bounds });
  }
}
