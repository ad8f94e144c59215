import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import git, { type TreeEntry } from 'isomorphic-git';
import { lineSketch } from '../../../../lib/repository/line-sketch.ts';
import { isMarkdown } from '../../../../lib/repository/repository-path.ts';
import { withBoundedObjects } from './bounded-objects.ts';
import { gitdirIn } from './fetch-work.ts';
import type { RemoteFile } from './remote.ts';

/** A file to write or delete, by its path relative to the project directory. */
export interface FileChange {
  path: string;
  /** File on this machine with the new bytes; null to delete it. */
  place: string | null;
}

export interface Person {
  name: string;
  email: string;
}

export interface CommitInput {
  ref: string;
  directory: string;
  /** Folder of an earlier fetch of the branch. */
  folder: string;
  /** Commit that the changes are made to; null for the first one. */
  parent: string | null;
  changes: FileChange[];
  message: string;
  author: Person;
  committer: Person;
  /** Time of the commit in seconds since 1970. */
  timestamp: number;
}

/** A commit in the folder. */
export interface Committed {
  oid: string;
  written: Omit<RemoteFile, 'size'>[];
}

/** Runs in a thread: makes a commit of the changes in the folder. */
export const work = (input: CommitInput, post: (beat: true) => void): Promise<Committed> =>
  withBoundedObjects(() => commit(input, post));

async function commit(input: CommitInput, post: (beat: true) => void): Promise<Committed> {
  const { ref, folder, directory, parent, changes, message } = input;
  const gitdir = gitdirIn(folder);
  const root = parent === null ? undefined : (await git.readCommit({ fs, gitdir, oid: parent })).commit.tree;
  const written: Omit<RemoteFile, 'size'>[] = [];
  const wanted = new Map<string, string | null>();
  for (const { path, place } of changes) {
    post(true);
    const oid = place === null ? null : await writeFile(gitdir, path, place, written);
    wanted.set(directory === '' ? path : `${directory}/${path}`, oid);
  }
  const tree = (await writeTree(gitdir, root, wanted)) ?? (await git.writeTree({ fs, gitdir, tree: [] }));
  const at = { timestamp: input.timestamp, timezoneOffset: 0 };
  const oid = await git.commit({
    fs,
    gitdir,
    message,
    tree,
    ref,
    parent: parent === null ? [] : [parent],
    author: { ...input.author, ...at },
    committer: { ...input.committer, ...at },
  });
  return { oid, written };
}

async function writeFile(gitdir: string, path: string, place: string, written: Omit<RemoteFile, 'size'>[]) {
  const blob = await readFile(place);
  const oid = await git.writeBlob({ fs, gitdir, blob });
  written.push({ path, oid, ...(isMarkdown(path) && { sketch: lineSketch(blob.toString('utf8')) }) });
  return oid;
}

/** The tree with changes by path. Only trees on the way to a change are written. Undefined for an empty tree. */
async function writeTree(
  gitdir: string,
  oid: string | undefined,
  changes: ReadonlyMap<string, string | null>,
): Promise<string | undefined> {
  const entries = new Map<string, TreeEntry>();
  const before = oid === undefined ? [] : (await git.readTree({ fs, gitdir, oid })).tree;
  for (const entry of before) entries.set(entry.path, entry);
  const below = new Map<string, Map<string, string | null>>();
  for (const [path, blob] of changes) {
    const [name = '', ...rest] = path.split('/');
    if (rest.length > 0) {
      const inside = below.get(name) ?? new Map<string, string | null>();
      below.set(name, inside.set(rest.join('/'), blob));
    } else if (blob === null) entries.delete(name);
    else entries.set(name, { mode: modeOf(entries.get(name)), path: name, oid: blob, type: 'blob' });
  }
  for (const [name, inside] of below) {
    const entry = entries.get(name);
    const tree = await writeTree(gitdir, entry?.type === 'tree' ? entry.oid : undefined, inside);
    if (tree !== undefined) entries.set(name, { mode: '040000', path: name, oid: tree, type: 'tree' });
    else if (entry?.type === 'tree') entries.delete(name);
  }
  return entries.size === 0 ? undefined : git.writeTree({ fs, gitdir, tree: [...entries.values()] });
}

/** A file that is replaced stays executable. */
const modeOf = (entry: TreeEntry | undefined) =>
  entry?.type === 'blob' && entry.mode === '100755' ? entry.mode : '100644';
