import type { Context } from '../../../../platform/context/context.ts';
import { withCleanup } from '../../../../platform/operation/cleanup.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { rememberPaths } from '../../../store/trees/index.ts';
import type { GitRunRow } from '../access.ts';
import { previewImport } from '../connections/preview.ts';
import { rejectUncertain, rejectUnrelated } from '../connections/reject-unrelated.ts';
import { branchRevision, gitOf } from './branch-revision.ts';
import { completeGitRun } from './end-git-run.ts';
import { fetchBranch, GitFault, temporaryFolder } from './fetch-branch.ts';
import { mergeIntoSpace } from './merge-into-space.ts';
import { forgetPushes, settledState, stateOfBranch } from './settled-state.ts';
import { pathRows, saveState } from './sync-state.ts';
import type { GitWatch } from './watch-git-run.ts';

/** Imports the branch of a run into its space. */
export const importBranch = (ctx: Context, run: GitRunRow, watch: GitWatch): Promise<void> =>
  withCleanup(ctx, async (scoped) => {
    const folder = await temporaryFolder(scoped);
    const fetched = await fetchBranch(scoped, run, watch, folder);
    const { commit } = fetched;
    if (!commit)
      throw new GitFault({ code: 'NO_BRANCH', message: 'The repository has no commits. The space was not changed.' });
    const settled = await settledState(scoped, run, commit);
    const state = stateOfBranch(settled, run, fetched);
    if (settled && !state) {
      rejectUncertain(run, settled, fetched);
      watch.say('The space was synchronized with another branch or directory. It gets the content of this one.');
    }
    await rejectUnrelated(scoped, run, fetched);
    const of = { fetched, folder, before: settled?.branch, state, watch };
    const { revision, entries, redirects, configuration } = await branchRevision(scoped, run, of);
    await watch.end();
    const paths = pathRows(entries, fetched.files);
    const result = { commitOid: commit.oid, filesChanged: 0 };
    if (run.standalone) {
      const preview = run.isDryRun ? { preview: await previewImport(scoped, run, revision) } : {};
      await transact(scoped, (inside) =>
        completeGitRun(inside, run, watch, { ...result, revisionId: revision.id, ...preview }),
      );
      return;
    }
    await mergeIntoSpace(scoped, run, {
      state,
      ours: revision,
      git: gitOf(run, commit),
      async finish(inside, { head, seen, conflictChangeRequestId, conflictKeys }) {
        const hasConflicts = conflictChangeRequestId !== null;
        watch.say(hasConflicts ? 'Some changes contradict each other. See the change request.' : 'Merged.');
        await rememberPaths(inside, { id: run.spaceId, organizationId: run.organizationId }, redirects);
        await saveState(inside, run, {
          commitOid: commit.oid,
          // The space can have more than the branch, so only the branch is what both have, without the conflicts.
          baseRevisionId: seen.id,
          branchRevisionId: revision.id,
          conflictChangeRequestId,
          conflictKeys,
          configuration,
          paths,
        });
        // The commits of earlier pushes are not what both sides have in common now.
        if (!state) await forgetPushes(inside, run);
        await completeGitRun(inside, run, watch, {
          ...result,
          revisionId: head.id,
          changeRequestId: conflictChangeRequestId,
          // Another branch was not rewritten.
          isRewritten: state !== undefined && fetched.hasKnown === false,
        });
      },
    });
  });
