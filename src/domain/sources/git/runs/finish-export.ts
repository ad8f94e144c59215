import type { Context } from '../../../../platform/context/context.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import type { GitRunRow } from '../access.ts';
import { previewExport } from '../connections/preview.ts';
import type { Proposal } from '../connections/record-run-end.ts';
import type { FileChange } from '../transport/commit-work.ts';
import type { FetchedBranch } from '../transport/transport.ts';
import { commitUrl } from './branch-revision.ts';
import { completeGitRun } from './end-git-run.ts';
import type { MergedBranch } from './merge-into-space.ts';
import { forgetPushes, forgetReplacedProposals } from './settled-state.ts';
import { type NewState, saveConflicts, saveState } from './sync-state.ts';
import type { GitWatch } from './watch-git-run.ts';

/** State to store once the branch has a commit. */
export const newState = (
  { branch, base, conflictChangeRequestId, conflictKeys }: Omit<MergedBranch, 'head' | 'seen'>,
  commitOid: string,
  { paths, configuration }: Pick<NewState, 'paths' | 'configuration'>,
): NewState => ({
  commitOid,
  baseRevisionId: base.id,
  branchRevisionId: branch.id,
  conflictChangeRequestId,
  conflictKeys,
  configuration,
  paths,
});

/** Ends an export whose commit is in the branch, or is proposed. */
export async function finishExport(
  ctx: Context,
  run: GitRunRow,
  {
    merged,
    watch,
    oid,
    changed,
    written,
    isOurs,
    isRewritten,
    message,
    replaced = null,
    proposal,
  }: {
    merged: MergedBranch;
    watch: GitWatch;
    oid: string;
    changed: number;
    /** What the branch has. */
    written: Pick<NewState, 'paths' | 'configuration'>;
    isOurs: boolean;
    isRewritten: boolean;
    message?: string;
    replaced?: string | null;
    /** The branch does not have the commit, so that only the conflicts of the state change. */
    proposal?: Proposal | undefined;
  },
): Promise<void> {
  await watch.end();
  const { head, conflictChangeRequestId } = merged;
  await transact(ctx, async (inside) => {
    if (!proposal) {
      await saveState(inside, run, newState(merged, oid, written));
      await forgetPushes(inside, run);
    } else {
      await forgetReplacedProposals(inside, run);
      // Otherwise conflicts that are settled would start an export again and again, until the proposal is merged.
      if (!run.force) await saveConflicts(inside, run, merged);
    }
    if (isOurs) {
      const url = run.commitUrl === null ? {} : { url: commitUrl(run.commitUrl, oid) };
      const git = { oid, message: message ?? '', createdByService: true, ref: run.ref, ...url };
      await inside.db.updateTable('revision').set({ git }).where('id', '=', head.id).execute();
    }
    const result = {
      revisionId: head.id,
      commitOid: oid,
      filesChanged: changed,
      changeRequestId: conflictChangeRequestId,
      isRewritten,
      replacedCommitOid: replaced,
      ...(proposal && { proposal }),
    };
    await completeGitRun(inside, run, watch, result);
  });
}

/** Ends a dry run of an export. */
export async function finishDryRun(
  ctx: Context,
  run: GitRunRow,
  {
    merged,
    watch,
    oid,
    fetched,
    changes,
  }: { merged: MergedBranch; watch: GitWatch; oid: string; fetched: FetchedBranch; changes: readonly FileChange[] },
): Promise<void> {
  await watch.end();
  const result = { revisionId: merged.head.id, commitOid: oid, filesChanged: 0 };
  const preview = previewExport(fetched.files, changes);
  await transact(ctx, (inside) => completeGitRun(inside, run, watch, { ...result, preview }));
}
