import git from 'isomorphic-git';
import { faultOf } from './fault-of.ts';
import { gitHttp } from './http-client.ts';
import { type ListedRefs, listedIn } from './listed-refs.ts';
import type { Remote, RemoteFault } from './remote.ts';

export interface ListRefsInput {
  remote: Remote;
  /** A commit, to find the branches that are at it. */
  commit: string | null;
  /** Asks as before a push, which servers answer only to those who may push. */
  forPush: boolean;
}

export type ListRefsOutcome = { refs: ListedRefs } | { fault: RemoteFault };

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
