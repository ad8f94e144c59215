import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../../../platform/context/context.ts';
import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';
import { atEnd } from '../../../../platform/operation/cleanup.ts';
import type { GitReportLine } from '../../../store/git-sync/index.ts';
import type { GitRunRow } from '../access.ts';
import { sshAccessOf } from '../connections/ssh-access.ts';
import { isSsh } from '../repository-url.ts';
import { runCredentials } from '../run-credentials.ts';
import type { Remote, RemoteFault, SkippedEntry } from '../transport/remote.ts';
import type { FetchedBranch } from '../transport/transport.ts';
import { transportOf } from '../transport/transport-of.ts';
import { isPushTo } from './settled-state.ts';
import type { GitWatch } from './watch-git-run.ts';

/** Time limit without progress. */
export const QUIET_MS = 120_000;

/** The branch could not be read or written, for a reason that the user can do something about. */
export class GitFault extends Error {
  override name = 'GitFault';
  readonly code: RemoteFault['code'];

  constructor({ code, message }: RemoteFault) {
    super(message);
    this.code = code;
  }
}

/** The remote of a run, with its credentials. Throws `UnreadableSecret`. */
export async function remoteOf(ctx: Context, run: GitRunRow): Promise<Remote> {
  const { credentials } = await ctx.db
    .selectFrom('git_run')
    .where('id', '=', run.id)
    .select('credentials')
    .executeTakeFirstOrThrow();
  const plain = credentials && runCredentials.read(ctx.services, run, credentials);
  return {
    url: run.repositoryUrl,
    authorization: plain === null ? undefined : `Basic ${Buffer.from(plain).toString('base64')}`,
    ref: run.ref,
    allowPrivateNetwork: ctx.services.config.allowPrivateNetwork,
    timeoutMs: QUIET_MS,
    ...(isSsh(run.repositoryUrl) && { ssh: await sshAccessOf(ctx, run) }),
  };
}

/** A temporary folder, removed at the end of the scope. */
export async function temporaryFolder(ctx: Context): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stemma-git-'));
  atEnd(ctx, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Commits to look through for one whose push was interrupted after the server took it. */
const UNSETTLED_DEPTH = 100;

/**
 * Whether a push to the branch of a run was interrupted, so that its commit can be in the branch. Runs apart settle
 * none.
 */
async function hasUnsettledPush({ db }: Context, run: GitRunRow): Promise<boolean> {
  if (run.standalone) return false;
  const pushing = db.selectFrom('git_run').where(isPushTo(run));
  return (await pushing.select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Fetches the branch of a run into a folder. Throws `GitFault`. */
export async function fetchBranch(
  ctx: Context,
  run: GitRunRow,
  watch: GitWatch,
  folder: string,
): Promise<FetchedBranch> {
  const of = { ctx, organizationId: run.organizationId, signal: watch.signal };
  using slot = await ctx.services.heavyWork.begin('sync-git', of);
  const depth = (await hasUnsettledPush(ctx, run)) ? UNSETTLED_DEPTH : 1;
  const knownCommit = await knownCommitOf(ctx, run);
  const transport = transportOf(await remoteOf(ctx, run), { slot, limitMs: QUIET_MS });
  const outcome = await toGitFault(
    transport.fetch({ directory: run.projectDirectory, folder, depth, known: knownCommit }),
  );
  if ('fault' in outcome) throw new GitFault(outcome.fault);
  const { commit, files, skipped } = outcome.fetched;
  watch.note(skipped.map(lineOf));
  watch.progress({ filesRead: files.length });
  watch.say(commit ? `Fetched commit ${commit.oid} with ${files.length} files.` : 'The repository has no commits.');
  return outcome.fetched;
}

/**
 * The commit that a connection synchronized last, also with another branch, which this one may continue. Undefined for
 * other runs.
 */
async function knownCommitOf({ db }: Context, run: GitRunRow): Promise<string | undefined> {
  if (run.connectionId === null || run.force || run.standalone) return undefined;
  const sync = await db
    .selectFrom('git_sync')
    .where('spaceId', '=', run.spaceId)
    .where('repositoryUrl', '=', run.repositoryUrl)
    .select('commitOid')
    .executeTakeFirst();
  return sync?.commitOid ?? undefined;
}

/** Returns the result of work on a repository. Throws `GitFault` when the work exceeds a limit. */
export async function toGitFault<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw new GitFault({ code: 'TOO_LARGE', message: `The repository cannot be read: ${error.message}.` });
  }
}

const MESSAGES: Record<SkippedEntry['kind'], string> = {
  symlink: 'Symbolic links are not followed. It was left out.',
  submodule: 'Submodules are not fetched. It was left out.',
  encoding: 'The name is not UTF-8. It was left out.',
  'unsafe-path': 'The name is not allowed. It was left out.',
  pointer: 'The file is a pointer of Git LFS. The pointer was kept instead of the file.',
};

const lineOf = ({ path, kind }: SkippedEntry): GitReportLine => ({
  severity: 'warning',
  outcome: kind === 'pointer' ? 'kept' : 'dropped',
  file: path,
  message: MESSAGES[kind],
});
