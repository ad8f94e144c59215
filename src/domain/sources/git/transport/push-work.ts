import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import git, { type TreeEntry } from 'isomorphic-git';
import { withBoundedObjects } from './bounded-objects.ts';
import { faultOf } from './fault-of.ts';
import { gitdirIn } from './fetch-work.ts';
import { gitHttp } from './http-client.ts';
import type { Remote, RemoteFault } from './remote.ts';

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

export interface PushInput {
  remote: Remote;
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

export type PushOutcome = { oid: string; written: { path: string; oid: string }[] } | { fault: RemoteFault };

/** Runs in a thread: makes a commit of the changes and pushes it to the branch, which must not have moved. */
export async function work(input: PushInput, post: (beat: true) => void): Promise<PushOutcome> {
  const http = gitHttp(input.remote);
  try {
    return await withBoundedObjects(() => commitAndPush(input, http, post));
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return { fault };
    throw error;
  } finally {
    await http.close();
  }
}

async function commitAndPush(input: PushInput, http: ReturnType<typeof gitHttp>, post: (beat: true) => void) {
  const { remote, folder, directory, parent, changes, message } = input;
  const gitdir = gitdirIn(folder);
  const root = parent === null ? undefined : (await git.readCommit({ fs, gitdir, oid: parent })).commit.tree;
  const written: { path: string; oid: string }[] = [];
  const wanted = new Map<string, string | null>();
  for (const { path, place } of changes) {
    post(true);
    const oid = place === null ? null : await git.writeBlob({ fs, gitdir, blob: await readFile(place) });
    if (oid !== null) written.push({ path, oid });
    wanted.set(directory === '' ? path : `${directory}/${path}`, oid);
  }
  const tree = (await writeTree(gitdir, root, wanted)) ?? (await git.writeTree({ fs, gitdir, tree: [] }));
  const at = { timestamp: input.timestamp, timezoneOffset: 0 };
  const oid = await git.commit({
    fs,
    gitdir,
    message,
    tree,
    ref: remote.ref,
    parent: parent === null ? [] : [parent],
    author: { ...input.author, ...at },
    committer: { ...input.committer, ...at },
  });
  const { url, ref } = remote;
  await git.push({ fs, http, gitdir, url, remote: 'origin', ref, remoteRef: ref, onProgress: () => post(true) });
  return { oid, written };
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
const modeOf = (entry: TreeEntry | undefined) => (entry?.type === 'blob' && entry.mode === '100755' ? entry.mode : '100644');
