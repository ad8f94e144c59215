import type { Context } from '../../../../platform/context.ts';
import { inScope } from '../../../../platform/scope.ts';
import { transact } from '../../../../platform/transact.ts';
import type { GitRunRow } from '../access.ts';
import type { Committed, FileChange } from '../transport/commit-work.ts';
import type { Fetched } from '../transport/fetch-work.ts';
import { commitUrl } from './branch-revision.ts';
import { composeFiles, withFiles } from './compose-files.ts';
import { dumpTarget } from './dump-target.ts';
import { completeGitRun } from './end-git-run.ts';
import { exportableFiles } from './exportable-files.ts';
import { fetchBranch, GitFault, temporaryFolder } from './fetch-branch.ts';
import type { Integrated } from './integrate.ts';
import { type KnownPaths, knownPaths } from './known-paths.ts';
import { commitChanges, pushCommit } from './push-export.ts';
import { forgetPushes, notePush, ofBranch, settledState } from './settled-state.ts';
import { loadRow, type NewState, pathRows, type SyncState, saveState } from './sync-state.ts';
import { wantedContent } from './wanted-content.ts';
import type { GitWatch } from './watch-git-run.ts';

/** Attempts when somebody else pushes at the same time. */
const ATTEMPTS = 5;

/** Exports the space of a run to its branch. Commits that the space has not seen are merged into it first. */
export async function exportBranch(ctx: Context, run: GitRunRow, watch: GitWatch): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inScope(ctx, (scoped) => exportOnce(scoped, run, watch));
    } catch (error) {
      if (!(error instanceof GitFault) || error.code !== 'MOVED' || attempt === ATTEMPTS) throw error;
      watch.say('The branch was changed at the same time. Starting again.');
    }
  }
}

async function exportOnce(ctx: Context, run: GitRunRow, watch: GitWatch): Promise<void> {
  const folder = await temporaryFolder(ctx);
  const fetched = await fetchOrCreate(ctx, run, watch, folder);
  const tip = fetched.commit?.oid ?? null;
  const settled = fetched.commit ? await settledState(ctx, run, fetched.commit) : undefined;
  const state = ofBranch(settled, run, tip ?? '');
  const integrated = await wantedContent(ctx, run, { fetched, folder, state, watch });
  const known = state ? await knownPaths(ctx, run.spaceId, fetched.files) : undefined;
  const branch = await branchAt(ctx, run, state, known);
  const files = await exportableFiles(ctx, integrated.branch, { branch, fetched, watch });
  const target = await dumpTarget(ctx, integrated.branch, { branch, files, folder });
  const composed = await composeFiles(ctx, run, { folder, fetched, known, target, watch });
  watch.note(composed.report, composed.more);
  const changes = await withFiles(ctx, integrated.branch, composed.changes, folder);
  const committed =
    changes.length === 0 && tip !== null
      ? undefined
      : await commitChanges(ctx, run, { folder, parent: tip, changes, watch });
  if (!committed) {
    watch.say('The branch has everything already.');
    const paths = pathRows(composed.entries, fetched.files);
    return finish(ctx, run, { integrated, watch, oid: tip ?? '', changed: 0, paths, isOurs: false });
  }
  const paths = pathRows(composed.entries, filesAfter(fetched, changes, committed));
  const { head: _, ...its } = integrated;
  await notePush(ctx, run, newState(its, committed.oid, paths));
  await pushCommit(ctx, run, { folder, parent: tip, committed, watch });
  watch.say(`Pushed commit ${committed.oid} with ${changes.length} changed files.`);
  return finish(ctx, run, { integrated, watch, oid: committed.oid, changed: changes.length, paths, isOurs: true });
}

/** A branch that does not exist yet is created by the first export. */
async function fetchOrCreate(ctx: Context, run: GitRunRow, watch: GitWatch, folder: string): Promise<Fetched> {
  try {
    return await fetchBranch(ctx, run, watch, folder);
  } catch (error) {
    if (!(error instanceof GitFault) || error.code !== 'NO_BRANCH') throw error;
    watch.say('The branch does not exist. It is created.');
    return { commit: null, files: [], skipped: [], packBytes: 0 };
  }
}

/** The content that the branch has, with the paths of its pages. */
async function branchAt(ctx: Context, run: GitRunRow, state: SyncState | undefined, known: KnownPaths | undefined) {
  if (!state || !known) return undefined;
  const { branchRevisionId } = await ctx.db
    .selectFrom('git_sync')
    .where('spaceId', '=', run.spaceId)
    .select('branchRevisionId')
    .executeTakeFirstOrThrow();
  const revision = await loadRow(ctx.db, branchRevisionId);
  return { revision, paths: pathsById(known.ids.pages), filePaths: pathsById(known.ids.files) };
}

const pathsById = (ids: ReadonlyMap<string, string>) => new Map([...ids].map(([path, id]) => [id, path]));

/** The files of the branch after the commit. */
function filesAfter({ files }: Fetched, changes: readonly FileChange[], { written }: Committed) {
  const changed = new Set(changes.map(({ path }) => path));
  return [...files.filter(({ path }) => !changed.has(path)), ...written];
}

const newState = (
  { branch, base, conflictChangeRequestId, conflictKeys }: Omit<Integrated, 'head'>,
  commitOid: string,
  paths: NewState['paths'],
): NewState => ({
  commitOid,
  baseRevisionId: base.id,
  branchRevisionId: branch.id,
  conflictChangeRequestId,
  conflictKeys,
  paths,
});

async function finish(
  ctx: Context,
  run: GitRunRow,
  {
    integrated,
    watch,
    oid,
    changed,
    paths,
    isOurs,
  }: {
    integrated: Integrated;
    watch: GitWatch;
    oid: string;
    changed: number;
    paths: NewState['paths'];
    isOurs: boolean;
  },
): Promise<void> {
  await watch.end();
  const { head, conflictChangeRequestId } = integrated;
  await transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    await saveState(inside, run, newState(integrated, oid, paths));
    await forgetPushes(inside, run);
    if (isOurs) {
      const url = run.commitUrl === null ? {} : { url: commitUrl(run.commitUrl, oid) };
      const git = { oid, message: run.commitMessage ?? '', createdByService: true, ref: run.ref, ...url };
      await inside.db.updateTable('revision').set({ git }).where('id', '=', head.id).execute();
    }
    const result = {
      revisionId: head.id,
      commitOid: oid,
      filesChanged: changed,
      changeRequestId: conflictChangeRequestId,
    };
    await completeGitRun(inside, run, watch, result);
  });
}
