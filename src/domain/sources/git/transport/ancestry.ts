/** Numbers of commits that are fetched one after the other until the wanted one is among them. */
const DEPTHS = [20, 200, 2_000];

/** A branch whose history is fetched as far as needed. */
export interface History {
  tip: string;
  /** The parents of a commit. Undefined if it was not fetched. */
  parentsOf(oid: string): Promise<string[] | undefined>;
  /** Fetches a number of commits of the branch. Fails if the server does not send them. */
  deepen(depth: number): Promise<void>;
}

/**
 * Whether a commit is the tip of a fetched branch or in its history, which is deepened as far as needed. Undefined if the history is longer
 * than 2,000 commits, or the server does not send it.
 */
export async function isAncestor(history: History, commit: string): Promise<boolean | undefined> {
  const seen = await fetchedOf(history);
  if (seen.oids.has(commit)) return true;
  for (const depth of DEPTHS) {
    try {
      await history.deepen(depth);
    } catch {
      return undefined;
    }
    const { oids, isWhole } = await fetchedOf(history);
    if (oids.has(commit)) return true;
    if (isWhole) return false;
  }
  return undefined;
}

/** The commits that were fetched, and the parents of those at the edge. `isWhole` if there are no others. */
async function fetchedOf({ tip, parentsOf }: History): Promise<{ oids: Set<string>; isWhole: boolean }> {
  const oids = new Set([tip]);
  let isWhole = true;
  for (const oid of oids) {
    const parents = await parentsOf(oid);
    if (!parents) isWhole = false;
    for (const parent of parents ?? []) oids.add(parent);
  }
  return { oids, isWhole };
}
