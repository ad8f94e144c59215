import git from 'isomorphic-git';
import { faultOf } from './fault-of.ts';
import { gitHttp } from './http-client.ts';
import type { Remote, RemoteFault } from './remote.ts';

export interface ListRefsInput {
  remote: Remote;
  /** A commit, to find the branches that are at it. */
  commit: string | null;
  /** Asks as before a push, which servers answer only to those who may push. */
  forPush: boolean;
}

export interface ListedRefs {
  /** Whether the repository has no branch and no tag. */
  isEmpty: boolean;
  /** Commit of the branch. Null if there is no such branch. */
  tip: string | null;
  /** Branches at the commit that was asked for, up to 10. */
  sameCommit: string[];
}

export type ListRefsOutcome = { refs: ListedRefs } | { fault: RemoteFault };

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

/** Runs in a thread: asks a server for its branches, as `git ls-remote` does. No object is fetched. */
export async function work({ remote, commit, forPush }: ListRefsInput): Promise<ListRefsOutcome> {
  const http = gitHttp(remote);
  try {
    const refs = await git.listServerRefs({ http, url: remote.url, protocolVersion: 1, forPush });
    return { refs: listedIn(refs, { ref: remote.ref, commit }) };
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return { fault };
    throw error;
  } finally {
    await http.close();
  }
}
