import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../../../platform/context.ts';
import { inScope } from '../../../../platform/scope.ts';
import { transact } from '../../../../platform/transact.ts';
import { permissions } from '../../../people/access/index.ts';
import { spaceFor } from '../../../places/spaces/index.ts';
import { readFiles } from '../../../store/manifests/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import type { GitRunRow } from '../access.ts';
import type { Composed, ComposedChange, work as compose } from '../compose/compose-work.ts';
import { type CommitText, commitTextOf } from '../connections/commit-text.ts';
import type { Proposal } from '../connections/note-run-ended.ts';
import { previewExport } from '../connections/preview.ts';
import { proposalRefOf, proposeCommit } from '../connections/propose-commit.ts';
import { rejectUnrelated } from '../connections/reject-unrelated.ts';
import type { Committed, work as commit, FileChange } from '../transport/commit-work.ts';
import type { Fetched } from '../transport/fetch-work.ts';
import type { work as push } from '../transport/push-work.ts';
import { branchRevision, commitUrl, gitOf } from './branch-revision.ts';
import { COMMITTER } from './committer.ts';
import { dumpTarget } from './dump-target.ts';
import { completeGitRun } from './end-git-run.ts';
import { fetchBranch, GitFault, orFault, QUIET_MS, remoteOf, temporaryFolder } from './fetch-branch.ts';
import { type Integrated, integrate, NO_CONFLICTS } from './integrate.ts';
import { type KnownPaths, knownPaths } from './known-paths.ts';
import { notePush, settledState } from './settled-state.ts';
import { loadRow, type NewState, pathRows, type SyncState, saveState } from './sync-state.ts';
import type { GitWatch } from './watch-git-run.ts';

const moduleAt = (name: string) => new URL(name, import.meta.url);

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
  const tip = fetched.commit?.oid;
  const state = tip === undefined ? undefined : await stateOf(ctx, run, tip);
  await rejectUnrelated(ctx, run, fetched);
  const integrated = await wantedContent(ctx, run, { fetched, folder, state, watch });
  const known = state ? await knownPaths(ctx, run.spaceId, fetched.files) : undefined;
  const branch = await branchAt(ctx, run, state, known);
  const target = await dumpTarget(ctx, integrated.branch, branch, folder);
  const composed = await composeFiles(ctx, run, { folder, fetched, known, target, watch });
  watch.note(composed.report, composed.more);
  const changes = await withFiles(ctx, integrated.branch, composed.changes, folder);
  if (run.isDryRun) return finishDryRun(ctx, run, { integrated, watch, oid: tip ?? '', fetched, changes });
  const rewritten = { isRewritten: fetched.hasKnown === false };
  if (changes.length === 0 && fetched.commit) {
    watch.say('The branch has everything already.');
    const paths = pathRows(composed.entries, fetched.files);
    return finish(ctx, run, {
      integrated,
      watch,
      oid: fetched.commit.oid,
      changed: 0,
      paths,
      isOurs: false,
      ...rewritten,
    });
  }
  const text = await commitTextOf(ctx, run, integrated.head);
  const committed = await commitChanges(ctx, run, { folder, parent: tip ?? null, changes, watch, text });
  const paths = pathRows(composed.entries, filesAfter(fetched, changes, committed));
  const { head: _, ...its } = integrated;
  await notePush(ctx, run, newState(its, committed.oid, paths));
  const ended = { integrated, watch, oid: committed.oid, changed: changes.length, paths, ...rewritten };
  const proposal = await pushOrPropose(ctx, run, { folder, watch, text });
  if (proposal) return finish(ctx, run, { ...ended, isOurs: false, proposal });
  watch.say(`Pushed commit ${committed.oid} with ${changes.length} changed files.`);
  return finish(ctx, run, {
    ...ended,
    isOurs: true,
    message: text.message,
    replaced: run.force ? (tip ?? null) : null,
  });
}

/**
 * The state of the synchronization, if it is that of the branch. What another branch does not have was not deleted from it, so
 * an export to another branch is a first one.
 */
async function stateOf(ctx: Context, run: GitRunRow, tip: string): Promise<SyncState | undefined> {
  const state = await settledState(ctx, run, tip);
  if (!state || state.sync.projectDirectory !== run.projectDirectory) return undefined;
  const { commitOid, repositoryUrl, ref } = state.sync;
  return commitOid === tip || (repositoryUrl === run.repositoryUrl && ref === run.ref) ? state : undefined;
}

/** A branch that does not exist yet is created by the first export. */
async function fetchOrCreate(ctx: Context, run: GitRunRow, watch: GitWatch, folder: string): Promise<Fetched> {
  try {
    return await fetchBranch(ctx, run, watch, folder);
  } catch (error) {
    // A branch that was deleted is not made again unless somebody asks for it.
    const isWanted = run.connectionId === null || run.force;
    if (!(error instanceof GitFault) || error.code !== 'NO_BRANCH' || !isWanted) throw error;
    watch.say('The branch does not exist. It is created.');
    return { commit: null, files: [], skipped: [] };
  }
}

/** What the branch should have: the content of the space, merged with commits that the space has not seen. */
async function wantedContent(
  ctx: Context,
  run: GitRunRow,
  {
    fetched,
    folder,
    state,
    watch,
  }: { fetched: Fetched; folder: string; state: SyncState | undefined; watch: GitWatch },
): Promise<Integrated> {
  if (!state || !fetched.commit || run.force) {
    const space = await spaceFor(ctx, run.spaceId, permissions.exportSpaceToGit.space);
    const head = await loadRow(ctx.db, space.revisionId);
    return { head, branch: head, base: head, ...NO_CONFLICTS };
  }
  const isSeen = fetched.commit.oid === state.sync.commitOid;
  const git = gitOf(run, fetched.commit);
  const of = { fetched, folder: join(folder), state, watch };
  const read = isSeen
    ? undefined
    : await inScope({ ...ctx, atEnd: undefined as never }, (own) => branchRevision(own, run, of));
  const ours = read?.revision ?? state.branch;
  const paths = read && pathRows(read.entries, fetched.files);
  return integrate(ctx, run, {
    state,
    ours,
    git,
    async finish(inside, { conflictChangeRequestId, conflictKeys }) {
      if (!paths) return;
      const baseRevisionId = conflictChangeRequestId === null ? ours.id : state.base.id;
      const commitOid = fetched.commit?.oid ?? '';
      await saveState(inside, run, {
        commitOid,
        baseRevisionId,
        branchRevisionId: ours.id,
        conflictChangeRequestId,
        conflictKeys,
        paths,
      });
    },
  });
}

/** The content that the branch has, with the paths of its pages. */
async function branchAt(ctx: Context, run: GitRunRow, state: SyncState | undefined, known: KnownPaths | undefined) {
  if (!state || !known) return undefined;
  const { branchRevisionId } = await ctx.db
    .selectFrom('git_sync')
    .where('spaceId', '=', run.spaceId)
    .select('branchRevisionId')
    .executeTakeFirstOrThrow();
  const paths = new Map([...known.ids.pages].map(([path, id]) => [id, path]));
  return { revision: await loadRow(ctx.db, branchRevisionId), paths };
}

async function composeFiles(
  ctx: Context,
  run: GitRunRow,
  {
    folder,
    fetched,
    known,
    target,
    watch,
  }: {
    folder: string;
    fetched: Fetched;
    known: KnownPaths | undefined;
    target: Awaited<ReturnType<typeof dumpTarget>>;
    watch: GitWatch;
  },
): Promise<Composed> {
  using turn = await ctx.services.heavyWork.begin('sync-git', {
    ctx,
    organizationId: run.organizationId,
    signal: watch.signal,
  });
  const external = run.treeUrl === null ? {} : { external: { url: run.treeUrl, directory: run.projectDirectory } };
  const ids = known?.ids ?? null;
  return await orFault(
    turn.inThread<typeof compose>(
      moduleAt('../compose/compose-work.ts'),
      { folder, files: fetched.files, ids, target, ...external },
      { limitMs: QUIET_MS, onMessage: () => {} },
    ),
  );
}

/** Copies the bytes of files from storage. */
async function withFiles(
  { services: { storage }, ...ctx }: Context,
  revision: RevisionRow,
  changes: readonly ComposedChange[],
  folder: string,
): Promise<FileChange[]> {
  const wanted = changes.some(({ fileId }) => fileId !== undefined);
  const files = new Map(
    wanted
      ? (await readFiles({ services: { storage }, ...ctx } as Context, revision)).map((file) => [file.id, file])
      : [],
  );
  const all: FileChange[] = [];
  for (const { path, place, fileId } of changes) {
    const file = files.get(fileId ?? '');
    const bytes = file && (await storage.read(Buffer.from(file.blob, 'hex')));
    if (bytes) {
      const copy = join(folder, `asset-${all.length}`);
      await pipeline(bytes, createWriteStream(copy));
      all.push({ path, place: copy });
    } else if (fileId === undefined) all.push({ path, place });
  }
  return all;
}

async function commitChanges(
  ctx: Context,
  run: GitRunRow,
  {
    folder,
    parent,
    changes,
    watch,
    text,
  }: { folder: string; parent: string | null; changes: FileChange[]; watch: GitWatch; text: CommitText },
): Promise<Committed> {
  using turn = await ctx.services.heavyWork.begin('sync-git', {
    ctx,
    organizationId: run.organizationId,
    signal: watch.signal,
  });
  const input = {
    ref: run.ref,
    directory: run.projectDirectory,
    folder,
    parent,
    changes,
    message: text.message,
    author: text.author,
    committer: COMMITTER,
    timestamp: Math.floor(ctx.services.clock().getTime() / 1_000),
  };
  const options = { limitMs: QUIET_MS, onMessage: () => {} };
  return await orFault(turn.inThread<typeof commit>(moduleAt('../transport/commit-work.ts'), input, options));
}

/** Pushes the commit. Where a connected branch refuses it, it is pushed to a branch for proposals. */
async function pushOrPropose(
  ctx: Context,
  run: GitRunRow,
  { folder, watch, text }: { folder: string; watch: GitWatch; text: CommitText },
): Promise<Proposal | undefined> {
  try {
    await pushCommit(ctx, run, folder, watch);
    return undefined;
  } catch (error) {
    if (run.connectionId === null || !(error instanceof GitFault) || error.code !== 'REJECTED') throw error;
    const instead = proposalRefOf(run.ref);
    watch.say(`${error.message} The commit is pushed to ${instead}.`);
    await pushCommit(ctx, run, folder, watch, instead);
    return proposeCommit(ctx, run, { ref: instead, message: text.message, say: (line) => watch.say(line) });
  }
}

async function pushCommit(
  ctx: Context,
  run: GitRunRow,
  folder: string,
  watch: GitWatch,
  instead?: string,
): Promise<void> {
  using turn = await ctx.services.heavyWork.begin('sync-git', {
    ctx,
    organizationId: run.organizationId,
    signal: watch.signal,
  });
  const input = { remote: await remoteOf(ctx, run), folder, instead };
  const options = { limitMs: QUIET_MS, onMessage: () => {} };
  const outcome = await orFault(turn.inThread<typeof push>(moduleAt('../transport/push-work.ts'), input, options));
  if ('fault' in outcome) throw new GitFault(outcome.fault);
}

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
    isRewritten,
    message,
    replaced = null,
    proposal,
  }: {
    integrated: Integrated;
    watch: GitWatch;
    oid: string;
    changed: number;
    paths: NewState['paths'];
    isOurs: boolean;
    isRewritten: boolean;
    message?: string;
    replaced?: string | null;
    /** The branch does not have the commit, so that the state stays as it is. */
    proposal?: Proposal | undefined;
  },
): Promise<void> {
  await watch.end();
  const { head, conflictChangeRequestId } = integrated;
  await transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    if (!proposal) await saveState(inside, run, newState(integrated, oid, paths));
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

async function finishDryRun(
  ctx: Context,
  run: GitRunRow,
  {
    integrated,
    watch,
    oid,
    fetched,
    changes,
  }: { integrated: Integrated; watch: GitWatch; oid: string; fetched: Fetched; changes: readonly FileChange[] },
): Promise<void> {
  await watch.end();
  const result = { revisionId: integrated.head.id, commitOid: oid, filesChanged: 0 };
  const preview = previewExport(fetched.files, changes);
  await transact(ctx, { id: undefined, versions: undefined }, (inside) =>
    completeGitRun(inside, run, watch, { ...result, preview }),
  );
}
