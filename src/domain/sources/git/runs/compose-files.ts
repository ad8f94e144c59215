import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { KeptConfiguration } from '../../../../lib/repository/configuration.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { ownModule } from '../../../../platform/own-files.ts';
import { readFiles } from '../../../store/manifests/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import type { GitRunRow } from '../access.ts';
import type { ComposedChange } from '../compose/branch-files.ts';
import type { ComposedFiles, work as compose } from '../compose/compose-work.ts';
import type { BranchContent } from '../compose/target.ts';
import type { FileChange } from '../transport/commit-work.ts';
import type { FetchedBranch } from '../transport/transport.ts';
import { QUIET_MS, toGitFault } from './fetch-branch.ts';
import type { SyncedPaths } from './synced-paths.ts';
import type { GitWatch } from './watch-git-run.ts';

const module = ownModule('domain/sources/git/compose/compose-work.ts');

/** Number of files that fill the heap of a worker. */
const MANY_FILES = 500;

/** Finds the changes that make a fetched branch mean the target. */
export async function composeFiles(
  ctx: Context,
  run: GitRunRow,
  {
    folder,
    fetched,
    knownPaths,
    configuration,
    target,
    watch,
  }: {
    folder: string;
    fetched: FetchedBranch;
    knownPaths: SyncedPaths | undefined;
    /** The settings that the branch had. */
    configuration: KeptConfiguration | undefined;
    target: BranchContent;
    watch: GitWatch;
  },
): Promise<ComposedFiles> {
  using slot = await ctx.services.heavyWork.begin('sync-git', {
    ctx,
    organizationId: run.organizationId,
    signal: watch.signal,
  });
  const external = run.treeUrl === null ? {} : { external: { url: run.treeUrl, directory: run.projectDirectory } };
  const ids = knownPaths?.ids ?? null;
  return await toGitFault(
    slot.inWorker<typeof compose>(
      module,
      {
        folder,
        files: fetched.files,
        skipped: fetched.skipped.flatMap(({ path, kind }) => (kind === 'pointer' ? [] : [path])),
        ids,
        formerConfiguration: configuration,
        target,
        ...external,
      },
      { limitMs: QUIET_MS, isLarge: fetched.files.length > MANY_FILES, onMessage: () => {} },
    ),
  );
}

/** Copies the bytes of files from storage. */
export async function withFiles(
  ctx: Context,
  revision: RevisionRow,
  changes: readonly ComposedChange[],
  folder: string,
): Promise<FileChange[]> {
  const hasFiles = changes.some(({ fileId }) => fileId !== undefined);
  const files = new Map(hasFiles ? (await readFiles(ctx, revision)).map((file) => [file.id, file]) : []);
  const all: FileChange[] = [];
  for (const { path, place, fileId } of changes) {
    const file = files.get(fileId ?? '');
    const bytes = file && (await ctx.services.storage.read(Buffer.from(file.blob, 'hex')));
    if (bytes) {
      const copy = join(folder, `asset-${all.length}`);
      await pipeline(bytes, createWriteStream(copy));
      all.push({ path, place: copy });
    } else if (fileId === undefined) all.push({ path, place });
  }
  return all;
}
