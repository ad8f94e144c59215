import type { Context } from '../../../../platform/context.ts';
import type { GitRunRow } from '../access.ts';
import type { Committed, work as commit, FileChange } from '../transport/commit-work.ts';
import type { work as push } from '../transport/push-work.ts';
import { COMMITTER } from './committer.ts';
import { GitFault, orFault, QUIET_MS, remoteOf } from './fetch-branch.ts';
import type { GitWatch } from './watch-git-run.ts';

const moduleAt = (name: string) => new URL(name, import.meta.url);

/** Makes a commit of changes in the folder of a fetch. Undefined if they change nothing. Throws `GitFault`. */
export async function commitChanges(
  ctx: Context,
  run: GitRunRow,
  { folder, parent, changes, watch }: { folder: string; parent: string | null; changes: FileChange[]; watch: GitWatch },
): Promise<Committed | undefined> {
  const author = await ctx.db
    .selectFrom('user')
    .where('id', '=', run.createdBy)
    .select(['displayName', 'email'])
    .executeTakeFirstOrThrow();
  using turn = await ctx.services.heavyWork.begin('sync-git', {
    ctx,
    organizationId: run.organizationId,
    signal: watch.signal,
  });
  const input = {
    directory: run.projectDirectory,
    folder,
    parent,
    changes,
    message: run.commitMessage ?? '',
    author: { name: author.displayName, email: author.email },
    committer: COMMITTER,
    timestamp: Math.floor(ctx.services.clock().getTime() / 1_000),
  };
  const options = { limitMs: QUIET_MS, onMessage: () => {} };
  const outcome = await orFault(turn.inThread<typeof commit>(moduleAt('../transport/commit-work.ts'), input, options));
  if ('fault' in outcome) throw new GitFault(outcome.fault);
  return outcome.committed ?? undefined;
}

/** Pushes a commit to the branch of a run, which must still be at its parent. Throws `GitFault`. */
export async function pushCommit(
  ctx: Context,
  run: GitRunRow,
  {
    folder,
    parent,
    committed: { oid, objects },
    watch,
  }: { folder: string; parent: string | null; committed: Committed; watch: GitWatch },
): Promise<void> {
  using turn = await ctx.services.heavyWork.begin('sync-git', {
    ctx,
    organizationId: run.organizationId,
    signal: watch.signal,
  });
  const input = { remote: await remoteOf(ctx, run), folder, oid, parent, objects };
  const options = { limitMs: QUIET_MS, onMessage: () => {} };
  const outcome = await orFault(turn.inThread<typeof push>(moduleAt('../transport/push-work.ts'), input, options));
  if ('fault' in outcome) throw new GitFault(outcome.fault);
}
