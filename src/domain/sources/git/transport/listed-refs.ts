export interface ListedRefs {
  /** Whether the repository has no branch and no tag. */
  isEmpty: boolean;
  /** Commit of the branch. Null if there is no such branch. */
  tip: string | null;
  /** Branches at the commit that was asked for, up to 10. */
  sameCommit: string[];
}

const MAX_SAME = 10;

/** What is listed of the refs of a server. */
export function listedIn(
  refs: readonly { ref: string; oid: string }[],
  { ref: wanted, commit }: { ref: string; commit: string | null },
): ListedRefs {
  const branches = refs.filter(({ ref }) => ref.startsWith('refs/heads/'));
  return {
    isEmpty: refs.length === 0,
    tip: refs.find(({ ref }) => ref === wanted)?.oid ?? null,
    sameCommit: branches.flatMap(({ ref, oid }) => (oid === commit ? [ref] : [])).slice(0, MAX_SAME),
  };
}
