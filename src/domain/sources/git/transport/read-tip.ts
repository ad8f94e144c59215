import { cutTo } from '../../../../platform/shapes/cut-text.ts';
import { type GitCommit, type GitObjects, gitdirIn, readCommit } from './git-objects.ts';
import { nameIn, readEntries, TREE_MODE } from './git-tree.ts';
import { openBatch } from './object-batch.ts';
import type { RemoteCommit, RemoteFault, RemoteFile, SkippedEntry } from './remote.ts';
import { outcomeOf, RemoteError } from './remote-fault.ts';
import { TreeReader } from './tree-reader.ts';

export interface TipInput {
  /** The commit at the tip of the branch. */
  oid: string;
  /** The commits before it that were fetched, latest first. */
  ancestors: string[];
  /** Folder of the project in the repository; empty for the whole repository. */
  directory: string;
  /** A folder for the files. */
  folder: string;
}

export interface Tip {
  commit: RemoteCommit;
  files: RemoteFile[];
  skipped: SkippedEntry[];
}

const MAX_MESSAGE = 10_000;

/** Runs in a worker: writes the files of a commit that the program `git` has fetched to the folder. */
export async function work(
  { program, ...input }: TipInput & { program: string },
  post: (beat: true) => void,
): Promise<{ tip: Tip } | { fault: RemoteFault }> {
  const objects = openBatch(gitdirIn(input.folder), program);
  try {
    return await outcomeOf(async () => ({ tip: await readTip(objects, input, post) }));
  } finally {
    objects.close();
  }
}

/** Writes the files of a fetched commit to the folder. Throws `RemoteError`. */
export async function readTip(
  objects: GitObjects,
  { oid, ancestors, directory, folder }: TipInput,
  post: (beat: true) => void,
): Promise<Tip> {
  const commit = await readCommit(objects, oid);
  const reader = new TreeReader({ objects, folder, post });
  await reader.read(await treeAt(objects, commit.tree, directory), '', 0);
  const { files, skipped } = reader;
  return { commit: { oid, ...shownOf(commit), ancestors }, files, skipped };
}

/** Commits can have any bytes and sizes. PostgreSQL does not store NUL. */
function shownOf({ message, committerEmail }: GitCommit): Pick<RemoteCommit, 'message' | 'committerEmail'> {
  const text = (value: string) => cutTo(MAX_MESSAGE, value.replaceAll('\0', ''));
  return { message: text(message), committerEmail: text(committerEmail) };
}

async function treeAt(objects: GitObjects, root: string, directory: string): Promise<string> {
  let oid = root;
  for (const name of directory === '' ? [] : directory.split('/')) {
    const entries = await readEntries(objects, oid);
    const entry = entries.find((each) => each.mode === TREE_MODE && nameIn(each) === name);
    if (!entry) throw new RemoteError('NO_DIRECTORY', `The repository has no directory "${directory}".`);
    oid = entry.oid;
  }
  return oid;
}
