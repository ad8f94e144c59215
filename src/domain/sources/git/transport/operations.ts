import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAncestor, readCommits } from './ancestry.ts';
import { gitdirIn } from './git-objects.ts';
import type { ServerRef, ServerRepository } from './server-repository.ts';
import type { FetchedBranch, FetchInput, ListedRefs, Operations } from './transport.ts';

/** The operations on a repository, whichever way its bytes are moved. */
export const OPERATIONS: {
  [Name in keyof Operations]: (
    repository: ServerRepository,
    input: Operations[Name]['input'],
  ) => Promise<Operations[Name]['result']>;
} = {
  async listRefs(repository, { commit, forPush }) {
    return { refs: listedIn(await repository.refs(forPush), { branch: repository.branch, commit }) };
  },
  async fetch(repository, input) {
    return { fetched: await fetchFiles(repository, input) };
  },
  async push(repository, input) {
    await repository.push(input);
    return { pushed: true };
  },
};

const MAX_SAME = 10;

function listedIn(
  refs: readonly ServerRef[],
  { branch, commit }: { branch: string; commit: string | null },
): ListedRefs {
  const branches = refs.filter(({ ref }) => ref.startsWith('refs/heads/'));
  return {
    isEmpty: refs.length === 0,
    tip: refs.find(({ ref }) => ref === branch)?.oid ?? null,
    sameCommit: branches.flatMap(({ ref, oid }) => (oid === commit ? [ref] : [])).slice(0, MAX_SAME),
  };
}

async function fetchFiles(
  repository: ServerRepository,
  { directory, folder, depth, known: knownCommit }: FetchInput,
): Promise<FetchedBranch> {
  const gitdir = gitdirIn(folder);
  const oid = await repository.fetch(gitdir, depth);
  const packRoom = repository.maxPackBytes - (await packBytesIn(gitdir));
  if (oid === null) return { commit: null, files: [], skipped: [], packRoom };
  const history = {
    tip: oid,
    openObjects: () => repository.openObjects(gitdir),
    deepen: (commits: number) => repository.fetch(gitdir, commits),
  };
  const ancestors = depth === 1 ? [] : (await readCommits(history)).fetched.slice(1, depth);
  const tip = await repository.readTip({ oid, ancestors, directory, folder });
  return { ...tip, packRoom, hasKnown: knownCommit === undefined ? undefined : await isAncestor(history, knownCommit) };
}

async function packBytesIn(gitdir: string): Promise<number> {
  const folder = join(gitdir, 'objects', 'pack');
  const packs = (await readdir(folder)).filter((name) => name.endsWith('.pack'));
  const sizes = await Promise.all(packs.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
