import type { Context } from '../../../../platform/context/context.ts';
import { type FileRow, readFiles } from '../../../store/manifests/index.ts';
import type { RevisionRow } from '../../../store/revisions/index.ts';
import { LEFT_OUT } from '../compose/path-entries.ts';
import type { BranchContent } from '../compose/target.ts';
import { MAX_OBJECT_BYTES } from '../transport/bounded-objects.ts';
import type { FetchedBranch } from '../transport/transport.ts';
import { MAX_TOTAL_BYTES } from '../transport/tree-reader.ts';
import type { GitWatch } from './watch-git-run.ts';

/** Part of a pack, and of the bytes of a branch, that is reserved for texts of pages and their trees. */
const FOR_PAGES_BYTES = 16 * 1024 * 1024;

/**
 * The files of a revision that can be exported. A branch with larger files than imports can read, or more of them,
 * could no longer be synchronized, so these files are left out and reported, and so are files whose bytes are missing
 * in storage. Files that the branch already has are not checked.
 */
export async function exportableFiles(
  ctx: Context,
  revision: RevisionRow,
  {
    branch,
    fetched,
    watch,
  }: {
    branch: { revision: RevisionRow; filePaths: ReadonlyMap<string, string> } | undefined;
    fetched: FetchedBranch;
    watch: Pick<GitWatch, 'note'>;
  },
): Promise<Pick<BranchContent, 'files' | 'leftOut'>> {
  const former = new Map(branch ? (await readFiles(ctx, branch.revision)).map(({ id, blob }) => [id, blob]) : []);
  const isPresent = ({ id, blob }: FileRow) =>
    former.get(id) === blob && branch?.filePaths.get(id)?.startsWith(LEFT_OUT) === false;
  const files: BranchContent['files'] = [];
  const leftOut: string[] = [];
  // An object that several paths have is read once.
  const objects = new Map(fetched.files.map(({ oid, size }) => [oid, size]));
  const onBranch = objects.values().reduce((sum, size) => sum + size, 0);
  let rest = Math.min(fetched.packRoom, MAX_TOTAL_BYTES - onBranch) - FOR_PAGES_BYTES;
  for (const file of await readFiles(ctx, revision)) {
    const reason = isPresent(file) ? undefined : await reasonAgainst(ctx, file, rest);
    if (reason === undefined) {
      if (!isPresent(file)) rest -= file.size;
      files.push({ id: file.id, name: file.name, blob: file.blob });
    } else {
      leftOut.push(file.id);
      watch.note([{ severity: 'warning', outcome: 'dropped', file: file.name, message: reason }]);
    }
  }
  return { files, leftOut };
}

async function reasonAgainst(
  { services: { storage } }: Context,
  { size, blob }: FileRow,
  rest: number,
): Promise<string | undefined> {
  if (size > MAX_OBJECT_BYTES) return 'The file was not exported: it has more than 32 MB.';
  if (size > rest) return 'The file was not exported: the repository would become larger than imports read.';
  const bytes = await storage.read(Buffer.from(blob, 'hex'));
  if (!bytes) return 'The file was not exported: its bytes are missing in the storage of this service.';
  bytes.on('error', () => {}).destroy();
  return undefined;
}
