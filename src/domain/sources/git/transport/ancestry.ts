import { type GitObjects, readCommit } from './git-objects.ts';

/** Numbers of commits that are fetched one after the other until the wanted one is among them. */
const DEPTHS = [20, 200, 2_000];

/** Commits that are looked through. Merges can bring many more than the depth that is fetched. */
const MAX_COMMITS = 5_000;

/** A branch whose history is fetched as far as needed. */
export interface BranchHistory {
  tip: string;
  /** Opens the objects that were fetched so far. */
  openObjects(): GitObjects;
  /** Fetches a number of commits of the branch. Fails if the server does not send them. */
  deepen(depth: number): Promise<unknown>;
}

/**
 * Whether a commit is the tip of a fetched branch or in its history, which is deepened as far as needed. Undefined if
 * the history is longer than 2,000 commits, or the server does not send it.
 */
export async function isAncestor(history: BranchHistory, commit: string): Promise<boolean | undefined> {
  if (history.tip === commit || (await readCommits(history)).seen.has(commit)) return true;
  for (const depth of DEPTHS) {
    try {
      await history.deepen(depth);
    } catch {
      return undefined;
    }
    const { seen, isWhole } = await readCommits(history);
    if (seen.has(commit)) return true;
    if (isWhole) return false;
  }
  return undefined;
}

interface Commits {
  /** The commits that were fetched, the nearest to the tip first. */
  fetched: string[];
  /** These and the parents of those at the edge. */
  seen: ReadonlySet<string>;
  /** Whether there are no others. */
  isWhole: boolean;
}

/** Reads the commits of a branch that were fetched so far. */
export async function readCommits({ tip, openObjects }: Pick<BranchHistory, 'tip' | 'openObjects'>): Promise<Commits> {
  const objects = openObjects();
  try {
    const seen = new Set([tip]);
    const fetched: string[] = [];
    for (const oid of seen) {
      if (fetched.length === MAX_COMMITS) break;
      const parents = await readCommit(objects, oid).then(
        (commit) => commit.parents,
        () => undefined,
      );
      if (parents) fetched.push(oid);
      for (const parent of parents ?? []) seen.add(parent);
    }
    return { fetched, seen, isWhole: fetched.length === seen.size };
  } finally {
    objects.close();
  }
}
