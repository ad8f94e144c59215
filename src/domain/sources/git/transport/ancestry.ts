import fs from 'node:fs';
import git, { type HttpClient } from 'isomorphic-git';
import type { Remote } from './remote.ts';

/** Numbers of commits that are fetched one after the other until the wanted one is among them. */
const DEPTHS = [20, 200, 2_000];

/**
 * Whether a commit is the tip of a fetched branch or in its history, which is deepened as far as needed. Undefined if the history is longer
 * than 2,000 commits, or the server does not send it.
 */
export async function isAncestor(
  { url, ref }: Remote,
  { gitdir, http, tip, commit }: { gitdir: string; http: HttpClient; tip: string; commit: string },
): Promise<boolean | undefined> {
  const seen = await historyOf(gitdir, tip);
  if (seen.oids.has(commit)) return true;
  for (const depth of DEPTHS) {
    try {
      const options = { ref, remoteRef: ref, singleBranch: true, tags: false, depth };
      await git.fetch({ fs, http, gitdir, url, remote: 'origin', ...options });
    } catch {
      return undefined;
    }
    const { oids, isWhole } = await historyOf(gitdir, tip);
    if (oids.has(commit)) return true;
    if (isWhole) return false;
  }
  return undefined;
}

/** The commits that were fetched, and the parents of those at the edge. `isWhole` if there are no others. */
async function historyOf(gitdir: string, tip: string): Promise<{ oids: Set<string>; isWhole: boolean }> {
  const oids = new Set([tip]);
  let isWhole = true;
  for (const oid of oids) {
    const parents = await parentsOf(gitdir, oid);
    if (!parents) isWhole = false;
    for (const parent of parents ?? []) oids.add(parent);
  }
  return { oids, isWhole };
}

async function parentsOf(gitdir: string, oid: string): Promise<string[] | undefined> {
  try {
    return (await git.readCommit({ fs, gitdir, oid })).commit.parent;
  } catch {
    return undefined;
  }
}
