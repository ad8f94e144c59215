import type { Context } from '../../../../platform/context/context.ts';
import type { GitRunRow } from '../access.ts';
import { GitFault } from '../runs/fetch-branch.ts';
import { syncedPaths } from '../runs/synced-paths.ts';
import type { Fetched } from '../transport/transport.ts';

/**
 * Rejects a branch whose history was replaced by one without any page of the space, so that it does not empty the
 * space. Throws `GitFault`. With `force`, a user has chosen the side that wins.
 */
export async function rejectUnrelated(ctx: Context, run: GitRunRow, { files, hasKnown }: Fetched): Promise<void> {
  if (run.connectionId === null || run.force || run.standalone || hasKnown !== false) return;
  const { ids } = await syncedPaths(ctx, run.spaceId, files);
  if (files.some(({ path }) => ids.pages.has(path))) return;
  throw new GitFault({
    code: 'UNRELATED',
    message: "The history of the branch was replaced and contains none of the space's pages. Nothing was changed.",
  });
}
