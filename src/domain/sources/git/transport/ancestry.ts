import fs from 'node:fs';
import git, { type HttpClient } from 'isomorphic-git';
import { boundedPacks } from './bounded-objects.ts';
import type { ObjectCache } from './git-tree.ts';
import type { Remote } from './remote.ts';

/** Numbers of commits that are fetched one after the other until the wanted one is among them. */
const DEPTHS = [20, 200, 2_000];

/**
 * Whether a commit is the tip of a fetched branch or in its history, which is deepened as far as needed. Undefined if the history is longer
 * than 2,000 commits, or the server does not send it.
 */
export async function isAncestor(
  { url, ref }: Remote,
  {
    gitdir,
    http,
    cache,
    tip,
    commit,
  }: { gitdir: string; http: HttpClient; cache: ObjectCache; tip: string; commit: string },
): Promise<boolean | undefined> {
  const seen = await historyOf({ gitdir, cache }, tip);
  if (seen.oids.has(commit)) return true;
  for (const depth of DEPTHS) {
    try {
      const options = { ref, remoteRef: ref, singleBranch: true, tags: false, depth };
      await git.fetch({ fs: boundedPacks(), http, gitdir, cache, url, remote: 'origin', ...options });
    } catch {
      return undefined;
    }
    const { oids, isWhole } = await historyOf({ gitdir, cache }, tip);
    if (oids.has(commit)) return true;
    if (isWhole) return false;
  }
  return undefined;
}

interface Objects {
  gitdir: string;
  cache: ObjectCache;
}

/** The commits that were fetched, and the parents of those at the edge. `isWhole` if there are no others. */
async function historyOf(of: Objects, tip: string): Promise<{ oids: Set<string>; isWhole: boolean }> {
  const oids = new Set([tip]);
  let isWhole = true;
  for (const oid of oids) {
    const parents = await parentsOf(of, oid);
    if (!parents) isWhole = false;
    for (const parent of parents ?? []) oids.add(parent);
  }
  return { oids, isWhole };
}

async function parentsOf({ gitdir, cache }: Objects, oid: string): Promise<string[] | undefined> {
  try {
    return (await git.readCommit({ fs, gitdir, cache, oid })).commit.parent;
  } catch {
    return undefined;
  }
}
