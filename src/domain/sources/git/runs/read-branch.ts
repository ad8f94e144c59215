import { join } from 'node:path';
import type { KeptConfiguration } from '../../../../lib/repository/configuration.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { gatherFolder, reportOf, type Snapshot, type StoredRepository } from '../../../content/import-engine/index.ts';
import type { FileEntry, FileRow, ReusableContentEntry } from '../../../store/manifests/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import type { FormerPath } from '../../../store/trees/index.ts';
import type { GitRunRow } from '../access.ts';
import { LEFT_OUT, type PathEntry } from '../compose/path-entries.ts';
import type { FetchedBranch } from '../transport/transport.ts';
import { BranchOverlay, type BranchState, type Former, formerContent } from './branch-overlay.ts';
import type { SyncedPaths } from './synced-paths.ts';
import type { GitWatch } from './watch-git-run.ts';

/** Limits of one import. */
const LIMITS = { pages: 10_000, bytes: Number.POSITIVE_INFINITY, timeMs: Number.POSITIVE_INFINITY };

/** A branch as content of a space. */
export interface ReadBranch {
  snapshot: Snapshot;
  entries: PathEntry[];
  /** The redirects of `.gitbook.yaml`. */
  redirects: FormerPath[];
  /** The settings to use if `.gitbook.yaml` cannot be read later on. */
  configuration: KeptConfiguration | undefined;
}

/**
 * Reads the files of a branch as the content of a space. Parts that the branch had before keep their ids, and values of
 * a page that files cannot express are taken from `before`, the content of the branch at the last synchronization.
 */
export async function readBranch(
  ctx: Context,
  run: GitRunRow,
  {
    fetched,
    folder,
    knownPaths,
    before,
    head,
    configuration,
    watch,
  }: {
    fetched: FetchedBranch;
    folder: string;
    knownPaths: SyncedPaths;
    before: RevisionRow | undefined;
    /** The content of the space. */
    head: RevisionRow;
    /** The settings that the same branch had. */
    configuration: KeptConfiguration | undefined;
    watch: GitWatch;
  },
): Promise<ReadBranch> {
  const files = fetched.files.map(({ path, oid, size }) => ({ path, size, place: { container: join(folder, oid) } }));
  const of = { ctx, organizationId: run.organizationId };
  const external = run.treeUrl === null ? {} : { external: { url: run.treeUrl, directory: run.projectDirectory } };
  const former = await formerContent(ctx, before, head);
  const state = stateOf(fetched, knownPaths);
  const ids = { ...knownPaths.ids, kept: keptBodies(run, knownPaths, former, state) };
  const repository = await gatherFolder(
    of,
    folder,
    { files, ids, report: [], formerConfiguration: configuration, ...external },
    {
      limits: LIMITS,
      overLimit() {},
      signal: watch.signal,
      progress: ({ pagesRead }) => watch.progress({ pagesRead }),
    },
  );
  watch.progress({ pagesRead: repository.pageCount });
  watch.note(reportOf(repository).report, repository.unlisted);
  const overlay = new BranchOverlay(ctx, run.organizationId, former, state);
  const snapshot = await overlay.apply(repository);
  watch.note(overlay.report.entries, overlay.report.more);
  const retainedFiles = leftOut(knownPaths, former, snapshot);
  return {
    snapshot: {
      ...snapshot,
      files: [...snapshot.files, ...retainedFiles],
      contents: [...snapshot.contents, ...computedIn(former)],
    },
    redirects: repository.redirects,
    configuration: repository.keptConfiguration,
    entries: [
      ...entriesOf(repository),
      ...retainedFiles.map(({ id }) => ({ path: `${LEFT_OUT}${id}`, kind: 'file' as const, id })),
    ],
  };
}

/**
 * Pages whose files have the bytes that they had. Following a branch reads only what changed. An operation that a user
 * requested reads everything, because its report covers all files.
 */
function keptBodies(
  { connectionId, force }: GitRunRow,
  { ids }: SyncedPaths,
  { pages }: Former,
  { same }: BranchState,
): Map<string, string> {
  if (connectionId === null || force) return new Map();
  return new Map([...ids.pages].filter(([path, id]) => same.has(path) && pages.get(id)?.node.kind === 'document'));
}

/** Computed reusable contents, which no branch has. */
const computedIn = ({ contents }: Former): ReusableContentEntry[] =>
  [...contents.values()].flatMap(({ id, title, computed }) => (computed ? [{ id, title, computed }] : []));

/** Files that the branch lacks because they could not be exported, not because they were deleted from it. */
function leftOut({ ids }: SyncedPaths, { files }: Former, snapshot: Snapshot): FileEntry[] {
  const present = new Set(snapshot.files.map(({ id }) => id));
  return [...ids.files].flatMap(([path, id]) => {
    const file = path.startsWith(LEFT_OUT) && !present.has(id) ? files.get(id) : undefined;
    return file ? [entryOf(file)] : [];
  });
}

const entryOf = ({ id, name, contentType, size, width, height, blob }: FileRow): FileEntry => ({
  id,
  name,
  contentType,
  size,
  ...(width === undefined || height === undefined ? {} : { width, height }),
  blob,
});

function stateOf({ files }: FetchedBranch, { oids }: SyncedPaths): BranchState {
  const isSame = ({ path, oid }: { path: string; oid: string }) => oids.get(path) === oid;
  return {
    same: new Set(files.filter(isSame).map(({ path }) => path)),
    present: new Set(oids.keys()),
  };
}

function entriesOf({ pages, files, contents }: StoredRepository): PathEntry[] {
  const entries: PathEntry[] = [
    ...pages.map(({ key, pageId }) => ({ path: key, kind: 'page' as const, id: pageId })),
    ...files.map(({ path, fileId }) => ({ path, kind: 'file' as const, id: fileId })),
    ...contents.map(({ path, id }) => ({ path, kind: 'content' as const, id })),
  ];
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()];
}
