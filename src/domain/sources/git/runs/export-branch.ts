import type { Context } from '../../../../platform/context/context.ts';
import { withCleanup } from '../../../../platform/operation/cleanup.ts';
import type { GitRunRow } from '../access.ts';
import { commitTextOf } from '../connections/commit-text.ts';
import { rejectUnrelated } from '../connections/reject-unrelated.ts';
import type { Committed, FileChange } from '../transport/commit-work.ts';
import { MAX_PACK_BYTES } from '../transport/http-client.ts';
import type { FetchedBranch } from '../transport/transport.ts';
import { MAX_BRANCH_FILES } from '../transport/tree-reader.ts';
import { composeFiles, withFiles } from './compose-files.ts';
import { dumpTarget } from './dump-target.ts';
import { exportableFiles } from './exportable-files.ts';
import { fetchBranch, GitFault, temporaryFolder } from './fetch-branch.ts';
import { finishDryRun, finishExport, newState } from './finish-export.ts';
import { commitChanges, pushOrPropose } from './push-export.ts';
import { recordPush, settledState, stateOfBranch } from './settled-state.ts';
import { configurationOf, loadRow, pathRows, type SyncState } from './sync-state.ts';
import { type SyncedPaths, syncedPaths } from './synced-paths.ts';
import { targetContent } from './target-content.ts';
import type { GitWatch } from './watch-git-run.ts';

/** Attempts in case of concurrent pushes. */
const MAX_ATTEMPTS = 5;

/** Exports the space of a run to its branch. Commits that the space has not seen are merged into it first. */
export async function exportBranch(ctx: Context, run: GitRunRow, watch: GitWatch): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withCleanup(ctx, (scoped) => exportOnce(scoped, run, watch));
    } catch (error) {
      if (!(error instanceof GitFault) || error.code !== 'MOVED' || attempt === MAX_ATTEMPTS) throw error;
      watch.say('The branch was changed at the same time. Starting again.');
    }
  }
}

async function exportOnce(ctx: Context, run: GitRunRow, watch: GitWatch): Promise<void> {
  const folder = await temporaryFolder(ctx);
  const fetched = await fetchOrCreate(ctx, run, watch, folder);
  const tip = fetched.commit?.oid ?? null;
  const settled = fetched.commit ? await settledState(ctx, run, fetched.commit) : undefined;
  const state = stateOfBranch(settled, run, fetched);
  await rejectUnrelated(ctx, run, fetched);
  const merged = await targetContent(ctx, run, { fetched, folder, state, watch });
  const knownPaths = state ? await syncedPaths(ctx, run.spaceId, fetched.files) : undefined;
  const branch = await branchAt(ctx, run, state, knownPaths);
  const files = await exportableFiles(ctx, merged.branch, { branch, fetched, watch });
  const target = await dumpTarget(ctx, merged.branch, { branch, files, folder });
  const composed = await composeFiles(ctx, run, {
    folder,
    fetched,
    knownPaths,
    configuration: configurationOf(state),
    target,
    watch,
  });
  watch.note(composed.report, composed.more);
  const changes = await withFiles(ctx, merged.branch, composed.changes, folder);
  rejectTooManyFiles(fetched, changes);
  if (run.isDryRun) return finishDryRun(ctx, run, { merged, watch, oid: tip ?? '', fetched, changes });
  const text = await commitTextOf(ctx, run, merged.head);
  const committed =
    changes.length === 0 && tip !== null
      ? undefined
      : await commitChanges(ctx, run, { folder, parent: tip, changes, watch, text });
  const ended = { merged, watch, isRewritten: fetched.hasKnown === false };
  if (!committed) {
    watch.say('The branch has everything already.');
    const written = { paths: pathRows(composed.entries, fetched.files), configuration: composed.configuration };
    return finishExport(ctx, run, { ...ended, oid: tip ?? '', changed: 0, written, isOurs: false });
  }
  const paths = pathRows(composed.entries, filesAfter(fetched, changes, committed));
  const written = { paths, configuration: composed.configuration };
  const { head: _, ...rest } = merged;
  await recordPush(ctx, run, newState(rest, committed.oid, written));
  const replaced = run.force ? tip : null;
  const pushed = { ...ended, oid: committed.oid, changed: changes.length, written, replaced };
  const proposal = await pushOrPropose(ctx, run, { folder, parent: tip, committed, watch, text });
  if (proposal) return finishExport(ctx, run, { ...pushed, isOurs: false, proposal });
  watch.say(`Pushed commit ${committed.oid} with ${changes.length} changed files.`);
  return finishExport(ctx, run, { ...pushed, isOurs: true, message: text.message });
}

/** A branch that does not exist yet is created by the first export. */
async function fetchOrCreate(ctx: Context, run: GitRunRow, watch: GitWatch, folder: string): Promise<FetchedBranch> {
  try {
    return await fetchBranch(ctx, run, watch, folder);
  } catch (error) {
    // A deleted branch is only recreated on request.
    const isWanted = run.connectionId === null || run.force;
    if (!(error instanceof GitFault) || error.code !== 'NO_BRANCH' || !isWanted) throw error;
    watch.say('The branch does not exist. It is created.');
    return { commit: null, files: [], skipped: [], packRoom: MAX_PACK_BYTES };
  }
}

/** The content that the branch has, with the paths of its pages. */
async function branchAt(
  ctx: Context,
  run: GitRunRow,
  state: SyncState | undefined,
  knownPaths: SyncedPaths | undefined,
) {
  if (!state || !knownPaths) return undefined;
  const { branchRevisionId } = await ctx.db
    .selectFrom('git_sync')
    .where('spaceId', '=', run.spaceId)
    .select('branchRevisionId')
    .executeTakeFirstOrThrow();
  const revision = await loadRow(ctx.db, branchRevisionId ?? state.branch.id);
  return { revision, paths: pathsById(knownPaths.ids.pages), filePaths: pathsById(knownPaths.ids.files) };
}

const pathsById = (ids: ReadonlyMap<string, string>) => new Map([...ids].map(([path, id]) => [id, path]));

/** The files of the branch that an export leaves as they are. */
function unchangedFiles({ files }: FetchedBranch, changes: readonly FileChange[]) {
  const changed = new Set(changes.map(({ path }) => path));
  return files.filter(({ path }) => !changed.has(path));
}

/** Throws a `GitFault` if the branch would have more files than the next synchronization reads. */
function rejectTooManyFiles(fetched: FetchedBranch, changes: readonly FileChange[]): void {
  const written = changes.filter(({ place }) => place !== null).length;
  if (unchangedFiles(fetched, changes).length + written <= MAX_BRANCH_FILES) return;
  const message = `The branch would have more than ${MAX_BRANCH_FILES} files in the project directory. Nothing was exported.`;
  throw new GitFault({ code: 'TOO_LARGE', message });
}

/** The files of the branch after the commit. */
const filesAfter = (fetched: FetchedBranch, changes: readonly FileChange[], { written: newFiles }: Committed) => [
  ...unchangedFiles(fetched, changes),
  ...newFiles,
];
