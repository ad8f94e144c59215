import fs from 'node:fs';
import { join } from 'node:path';
import git, { type CommitObject } from 'isomorphic-git';
import { cutTo } from '../../../../platform/text.ts';
import { isAncestor } from './ancestry.ts';
import { boundedPacks, withBoundedObjects } from './bounded-objects.ts';
import { faultOf, RemoteError } from './fault-of.ts';
import { nameIn, type ObjectCache, readEntries, TREE } from './git-tree.ts';
import { gitHttp } from './http-client.ts';
import type { Remote, RemoteCommit, RemoteFault, RemoteFile, SkippedEntry } from './remote.ts';
import { type Reading, TreeReader } from './tree-reader.ts';

export interface FetchInput {
  remote: Remote;
  /** Folder of the project in the repository; empty for the whole repository. */
  directory: string;
  /** A folder for the repository and the files. */
  folder: string;
  /** Number of commits to fetch; 1 for the files of the tip. */
  depth: number;
  /** A commit that the branch had, to find out whether it still has it. */
  known?: string | undefined;
}

export interface Fetched {
  /** Null for a branch that does not exist in a repository without any branch. */
  commit: RemoteCommit | null;
  files: RemoteFile[];
  skipped: SkippedEntry[];
  /** Size of the pack of all files of the commit. */
  packBytes: number;
  /** Whether the branch has the commit that was asked for. Undefined if it is not known. */
  hasKnown?: boolean | undefined;
}

export type FetchOutcome = { fetched: Fetched } | { fault: RemoteFault };

const MAX_MESSAGE = 10_000;

/** Runs in a thread: fetches the tip of a branch and writes the files of its commit to the folder. */
export async function work(input: FetchInput, post: (beat: true) => void): Promise<FetchOutcome> {
  const http = gitHttp(input.remote);
  try {
    return { fetched: await withBoundedObjects(() => fetchFiles(input, http, post)) };
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return { fault };
    throw error;
  } finally {
    await http.close();
  }
}

async function fetchFiles(
  input: FetchInput,
  http: ReturnType<typeof gitHttp>,
  post: (beat: true) => void,
): Promise<Fetched> {
  const { remote, folder, directory, depth, known } = input;
  const gitdir = gitdirIn(folder);
  await git.init({ fs, dir: folder, gitdir, bare: true });
  await git.addRemote({ fs, gitdir, remote: 'origin', url: remote.url });
  const cache: ObjectCache = {};
  const { oid, packBytes } = await tipOf(remote, depth, { gitdir, http, cache, post });
  if (oid === null) return { commit: null, files: [], skipped: [], packBytes };
  const { commit } = await git.readCommit({ fs, gitdir, oid, cache });
  const reader = new TreeReader({ gitdir, folder, cache, post });
  await reader.read(await treeAt({ gitdir, cache }, commit.tree, directory), '', 0);
  const { files, skipped } = reader;
  const ancestors = depth === 1 ? [] : await git.log({ fs, gitdir, cache, ref: oid, depth });
  const of = { gitdir, http, cache, tip: oid };
  return {
    commit: { oid, ...shownOf(commit), ancestors: ancestors.slice(1).map(({ oid: each }) => each) },
    files,
    skipped,
    packBytes,
    hasKnown: known === undefined ? undefined : await isAncestor(remote, { ...of, commit: known }),
  };
}

/** Commits can have any bytes and sizes, and lack what git writes. PostgreSQL does not store NUL. */
function shownOf({ message, committer }: Partial<CommitObject>): Pick<RemoteCommit, 'message' | 'committerEmail'> {
  const text = (value: string | undefined) => cutTo(MAX_MESSAGE, (value ?? '').replaceAll('\0', ''));
  return { message: text(message), committerEmail: text(committer?.email) };
}

export const gitdirIn = (folder: string) => join(folder, 'repository.git');

async function tipOf(
  { url, ref }: Remote,
  depth: number,
  { gitdir, http, cache, post }: Reading & { http: ReturnType<typeof gitHttp> },
): Promise<{ oid: string | null; packBytes: number }> {
  const refs = await git.listServerRefs({ http, url, protocolVersion: 1 });
  if (refs.length === 0) return { oid: null, packBytes: 0 };
  const wanted = refs.find((each) => each.ref === ref);
  if (!wanted) throw new RemoteError('NO_BRANCH', `The repository has no branch "${ref}".`);
  let packBytes = 0;
  const { fetchHead } = await git.fetch({
    fs: boundedPacks((bytes) => {
      packBytes = bytes;
    }),
    http,
    gitdir,
    cache,
    url,
    remote: 'origin',
    ref,
    remoteRef: ref,
    singleBranch: true,
    tags: false,
    depth,
    onProgress: () => post(true),
  });
  return { oid: fetchHead ?? wanted.oid, packBytes };
}

async function treeAt(
  { gitdir, cache }: Pick<Reading, 'gitdir' | 'cache'>,
  root: string,
  directory: string,
): Promise<string> {
  let oid = root;
  for (const name of directory === '' ? [] : directory.split('/')) {
    const entries = await readEntries(gitdir, oid, cache);
    const entry = entries.find((each) => each.mode === TREE && nameIn(each) === name);
    if (!entry) throw new RemoteError('NO_DIRECTORY', `The repository has no directory "${directory}".`);
    oid = entry.oid;
  }
  return oid;
}
