import type { Turn } from '../../../../platform/heavy-work/heavy-work.ts';
import type { FetchInput, FetchOutcome, work as fetchWork } from './fetch-work.ts';
import type { ListRefsInput, ListRefsOutcome, work as listRefsWork } from './list-refs-work.ts';
import { overSsh } from './over-ssh.ts';
import type { PushInput, PushOutcome, work as pushWork } from './push-work.ts';
import type { Remote } from './remote.ts';

export interface TransportOptions {
  /** The slot that the work takes. It ends when its signal is aborted. */
  turn: Pick<Turn, 'inThread' | 'signal'>;
  /** Time limit without progress. */
  limitMs: number;
}

/** How a branch is read from its server and written to it. Faults of the server are results; exceeded limits are thrown as `WorkExceeded`. */
export interface Transport {
  /** Asks the server for its branches. No object is fetched. */
  listRefs(input: Omit<ListRefsInput, 'remote'>): Promise<ListRefsOutcome>;
  /** Fetches the tip of the branch into a repository in the folder, and writes the files of its commit to the folder. */
  fetch(input: Omit<FetchInput, 'remote'>): Promise<FetchOutcome>;
  /**
   * Pushes a commit of that repository, only to a branch that has not moved: a commit that somebody else pushed is never replaced. A commit that
   * the branch has already counts as pushed. With `instead`, the commit replaces what that branch has.
   */
  push(input: Omit<PushInput, 'remote'>): Promise<PushOutcome>;
}

/** The transport for a repository: the program `git` for SSH, and isomorphic-git for HTTP. */
export function transportOf(remote: Remote, options: TransportOptions): Transport {
  const { ssh } = remote;
  if (!ssh) return overHttp(remote, options);
  return 'fault' in ssh ? unavailable(ssh) : overSsh(remote, ssh, options);
}

const moduleAt = (name: string) => new URL(name, import.meta.url);

/** Works in threads, over the guarded fetch. */
function overHttp(remote: Remote, { turn, limitMs }: TransportOptions): Transport {
  const options = { limitMs, onMessage: () => {} };
  return {
    listRefs: (input) =>
      turn.inThread<typeof listRefsWork>(moduleAt('./list-refs-work.ts'), { ...input, remote }, { limitMs }),
    fetch: (input) => turn.inThread<typeof fetchWork>(moduleAt('./fetch-work.ts'), { ...input, remote }, options),
    push: (input) => turn.inThread<typeof pushWork>(moduleAt('./push-work.ts'), { ...input, remote }, options),
  };
}

function unavailable(outcome: Extract<Remote['ssh'], { fault: object }>): Transport {
  const answer = async () => outcome;
  return { listRefs: answer, fetch: answer, push: answer };
}
