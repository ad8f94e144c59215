import fs from 'node:fs';
import git from 'isomorphic-git';
import { isAncestor } from './ancestry.ts';
import { boundedPacks, withBoundedObjects } from './bounded-objects.ts';
import { faultOf, noBranch } from './fault-of.ts';
import { readCommit } from './git-objects.ts';
import { gitdirIn } from './gitdir-in.ts';
import { gitHttp, MAX_PACK_BYTES } from './http-client.ts';
import { objectsIn, packedObjectsIn } from './open-objects.ts';
import { readTip } from './read-tip.ts';
import type { Remote, RemoteCommit, RemoteFault, RemoteFile, SkippedEntry } from './remote.ts';

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
  /** How much larger the pack of all files of the commit can become, in bytes. */
  packRoom: number;
  /** Whether the branch has the commit that was asked for. Undefined if it is not known. */
  hasKnown?: boolean | undefined;
}

export type FetchOutcome = { fetched: Fetched } | { fault: RemoteFault };

/** Runs in a thread: fetches the tip of a branch over HTTP and writes the files of its commit to the folder. */
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

type Http = ReturnType<typeof gitHttp>;

/** Where the branch is fetched to. isomorphic-git reads packs once for each cache. */
interface Target {
  gitdir: string;
  http: Http;
  cache: object;
}

async function fetchFiles(input: FetchInput, http: Http, post: (beat: true) => void): Promise<Fetched> {
  const { remote, folder, directory, depth, known } = input;
  const target = { gitdir: gitdirIn(folder), http, cache: {} };
  await git.init({ fs, dir: folder, gitdir: target.gitdir, bare: true });
  await git.addRemote({ fs, gitdir: target.gitdir, remote: 'origin', url: remote.url });
  const { oid, packBytes } = await tipOf(remote, depth, target, post);
  const packRoom = MAX_PACK_BYTES - packBytes;
  if (oid === null) return { commit: null, files: [], skipped: [], packRoom };
  const objects = packedObjectsIn(target.gitdir, target.cache);
  const commits = depth === 1 ? [] : await git.log({ fs, ...target, ref: oid, depth });
  const ancestors = commits.slice(1).map((each) => each.oid);
  const tip = await readTip(objects, { oid, ancestors, directory, folder }, post);
  return { ...tip, packRoom, hasKnown: known === undefined ? undefined : await hasCommit(known, remote, target, oid) };
}

/** Whether the branch has a commit in its history. */
function hasCommit(commit: string, remote: Remote, { gitdir, http, cache }: Target, tip: string) {
  const objects = objectsIn(gitdir, cache);
  const parentsOf = (oid: string) =>
    readCommit(objects, oid).then(
      ({ parents }) => parents,
      () => undefined,
    );
  const deepen = async (depth: number) => {
    await git.fetch({ fs: boundedPacks(), http, gitdir, cache, ...branchOf(remote), depth });
  };
  return isAncestor({ tip, parentsOf, deepen }, commit);
}

const branchOf = ({ url, ref }: Remote) => ({
  url,
  remote: 'origin',
  ref,
  remoteRef: ref,
  singleBranch: true,
  tags: false,
});

async function tipOf(
  remote: Remote,
  depth: number,
  { gitdir, http, cache }: Target,
  post: (beat: true) => void,
): Promise<{ oid: string | null; packBytes: number }> {
  const refs = await git.listServerRefs({ http, url: remote.url, protocolVersion: 1 });
  if (refs.length === 0) return { oid: null, packBytes: 0 };
  const wanted = refs.find(({ ref }) => ref === remote.ref);
  if (!wanted) throw noBranch(remote.ref);
  let packBytes = 0;
  const packs = boundedPacks((bytes) => {
    packBytes = bytes;
  });
  const onProgress = () => post(true);
  const { fetchHead } = await git.fetch({
    fs: packs,
    http,
    gitdir,
    cache,
    ...branchOf(remote),
    depth,
    onProgress,
  });
  return { oid: fetchHead ?? wanted.oid, packBytes };
}
