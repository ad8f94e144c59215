import type { Context } from '../../../../platform/context/context.ts';
import { withCleanup } from '../../../../platform/operation/cleanup.ts';
import { permissions } from '../../../people/access/index.ts';
import { spaceFor } from '../../../places/spaces/index.ts';
import { rememberPaths } from '../../../store/trees/index.ts';
import type { GitRunRow } from '../access.ts';
import type { FetchedBranch } from '../transport/transport.ts';
import { branchRevision, gitOf } from './branch-revision.ts';
import { lockGitRun } from './end-git-run.ts';
import { type MergedBranch, mergeIntoSpace, NO_CONFLICTS } from './merge-into-space.ts';
import { loadRow, pathRows, type SyncState, saveState } from './sync-state.ts';
import type { GitWatch } from './watch-git-run.ts';

/** Content that the branch should have: the content of the space, merged with commits that the space has not seen. */
export async function targetContent(
  ctx: Context,
  run: GitRunRow,
  {
    fetched,
    folder,
    state,
    watch,
  }: { fetched: FetchedBranch; folder: string; state: SyncState | undefined; watch: GitWatch },
): Promise<MergedBranch> {
  if (!state || !fetched.commit || run.force) {
    const space = await spaceFor(ctx, run.spaceId, permissions.exportSpaceToGit.space);
    const head = await loadRow(ctx.db, space.revisionId);
    return { head, branch: head, base: head, seen: head, ...NO_CONFLICTS };
  }
  const isSeen = fetched.commit.oid === state.sync.commitOid && !(await isReadAgain(ctx, run.spaceId));
  const git = gitOf(run, fetched.commit);
  const of = { fetched, folder, before: state.branch, state, watch };
  const read = isSeen
    ? undefined
    : await withCleanup({ ...ctx, atEnd: undefined as never }, (inner) => branchRevision(inner, run, of));
  const ours = read?.revision ?? state.branch;
  const paths = read && pathRows(read.entries, fetched.files);
  return mergeIntoSpace(ctx, run, {
    state,
    ours,
    git,
    async finish(inside, { seen, conflictChangeRequestId, conflictKeys }) {
      await lockGitRun(inside, run);
      if (!read || !paths) return;
      await rememberPaths(inside, { id: run.spaceId, organizationId: run.organizationId }, read.redirects);
      const commitOid = fetched.commit?.oid ?? '';
      await saveState(inside, run, {
        commitOid,
        baseRevisionId: seen.id,
        branchRevisionId: ours.id,
        conflictChangeRequestId,
        conflictKeys,
        configuration: read.configuration,
        paths,
      });
    },
  });
}

/** Whether files are to be read again, though they have not changed. */
async function isReadAgain({ db }: Context, spaceId: string): Promise<boolean> {
  const file = await db
    .selectFrom('git_file')
    .where('spaceId', '=', spaceId)
    .where('oid', '=', '')
    .select('path')
    .limit(1)
    .executeTakeFirst();
  return file !== undefined;
}
