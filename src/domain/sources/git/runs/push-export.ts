import type { Context } from '../../../../platform/context/context.ts';
import { ownModule } from '../../../../platform/own-files.ts';
import type { GitRunRow } from '../access.ts';
import type { CommitText } from '../connections/commit-text.ts';
import { proposalRefOf, proposeCommit } from '../connections/propose-commit.ts';
import type { Proposal } from '../connections/record-run-end.ts';
import { isSsh } from '../repository-url.ts';
import type { Committed, work as commit, FileChange } from '../transport/commit-work.ts';
import { transportOf } from '../transport/transport-of.ts';
import { COMMITTER } from './branch-revision.ts';
import { GitFault, QUIET_MS, remoteOf, toGitFault } from './fetch-branch.ts';
import type { GitWatch } from './watch-git-run.ts';

const commitModule = ownModule('domain/sources/git/transport/commit-work.ts');

/** Makes a commit of changes in the folder of a fetch. Undefined if they change nothing. Throws `GitFault`. */
export async function commitChanges(
  ctx: Context,
  run: GitRunRow,
  {
    folder,
    parent,
    changes,
    watch,
    text,
  }: { folder: string; parent: string | null; changes: FileChange[]; watch: GitWatch; text: CommitText },
): Promise<Committed | undefined> {
  using slot = await ctx.services.heavyWork.begin('sync-git', {
    ctx,
    organizationId: run.organizationId,
    signal: watch.signal,
  });
  const input = {
    directory: run.projectDirectory,
    folder,
    program: isSsh(run.repositoryUrl) ? ctx.services.config.gitProgram : undefined,
    parent,
    changes,
    message: text.message,
    author: text.author,
    committer: COMMITTER,
    timestamp: Math.floor(ctx.services.clock().getTime() / 1_000),
  };
  const options = { limitMs: QUIET_MS, onMessage: () => {} };
  const outcome = await toGitFault(slot.inWorker<typeof commit>(commitModule, input, options));
  if ('fault' in outcome) throw new GitFault(outcome.fault);
  return outcome.committed ?? undefined;
}

interface Pushing {
  folder: string;
  parent: string | null;
  committed: Committed;
  watch: GitWatch;
}

/**
 * Pushes a commit to the branch of a run, which must still be at its parent. Where a connected branch refuses it, it is
 * pushed to a branch for proposals. Throws `GitFault`.
 */
export async function pushOrPropose(
  ctx: Context,
  run: GitRunRow,
  { text, ...pushing }: Pushing & { text: CommitText },
): Promise<Proposal | undefined> {
  const { watch } = pushing;
  try {
    await pushCommit(ctx, run, pushing);
    return undefined;
  } catch (error) {
    if (run.connectionId === null || !(error instanceof GitFault) || error.code !== 'REJECTED') throw error;
    const instead = proposalRefOf(run.ref);
    watch.say(`${error.message} The commit is pushed to ${instead}.`);
    await pushCommit(ctx, run, pushing, instead);
    return proposeCommit(ctx, run, { ref: instead, message: text.message, say: (line) => watch.say(line) });
  }
}

async function pushCommit(
  ctx: Context,
  run: GitRunRow,
  { folder, parent, committed: { oid, objects }, watch }: Pushing,
  instead?: string,
): Promise<void> {
  using slot = await ctx.services.heavyWork.begin('sync-git', {
    ctx,
    organizationId: run.organizationId,
    signal: watch.signal,
  });
  const transport = transportOf(await remoteOf(ctx, run), { slot, limitMs: QUIET_MS });
  const outcome = await toGitFault(transport.push({ folder, oid, parent, objects, instead }));
  if ('fault' in outcome) throw new GitFault(outcome.fault);
}
