import type { Context } from '../../../../platform/context/context.ts';
import type { GitRunRow } from '../access.ts';
import { GitFault } from '../runs/fetch-branch.ts';
import type { SyncState } from '../runs/sync-state.ts';
import { syncedPaths } from '../runs/synced-paths.ts';
import type { FetchedBranch } from '../transport/transport.ts';

/**
 * Rejects a branch that does not contain the commit that was synchronized last, nor any page of the space, so that it
 * does not empty the space. Throws `GitFault`. With `force`, a user has chosen the side that wins.
 */
export async function rejectUnrelated(ctx: Context, run: GitRunRow, { files, hasKnown }: FetchedBranch): Promise<void> {
  if (run.connectionId === null || run.force || run.standalone || hasKnown !== false) return;
  const { ids } = await syncedPaths(ctx, run.spaceId, files);
  if (files.some(({ path }) => ids.pages.has(path))) return;
  throw new GitFault({
    code: 'UNRELATED',
    message:
      "The branch does not contain the commit that was synchronized last, and none of the space's pages. Nothing was changed.",
  });
}

/**
 * Rejects another branch if the server did not send enough of its history to tell whether it continues the one that was
 * synchronized last, such as after it was renamed: the branch would replace edits that are only in the space. Throws
 * `GitFault`.
 */
export function rejectUncertain(run: GitRunRow, { sync }: SyncState, { hasKnown }: FetchedBranch): void {
  if (run.connectionId === null || run.force || run.standalone || hasKnown !== undefined) return;
  if (sync.repositoryUrl !== run.repositoryUrl || sync.projectDirectory !== run.projectDirectory) return;
  throw new GitFault({
    code: 'UNRELATED',
    message:
      'It is not known whether the branch continues the one that was synchronized last, because its history is too long or the server did not send it. Nothing was changed.',
  });
}
