import { ownModule } from '../../../../platform/own-files.ts';
import type { work as fetchWork } from './fetch-work.ts';
import type { work as listRefsWork } from './list-refs-work.ts';
import { overSsh } from './over-ssh.ts';
import type { work as pushWork } from './push-work.ts';
import type { Remote } from './remote.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** The transport for a repository: the program `git` for SSH, and isomorphic-git for HTTP. */
export function transportOf(remote: Remote, options: TransportOptions): Transport {
  const { ssh } = remote;
  if (!ssh) return overHttp(remote, options);
  return 'fault' in ssh ? unavailable(ssh) : overSsh(remote, ssh, options);
}

const listRefsModule = ownModule('domain/sources/git/transport/list-refs-work.ts');
const fetchModule = ownModule('domain/sources/git/transport/fetch-work.ts');
const pushModule = ownModule('domain/sources/git/transport/push-work.ts');

/** Works in threads, over the guarded fetch. */
function overHttp(remote: Remote, { turn, limitMs }: TransportOptions): Transport {
  const options = { limitMs, onMessage: () => {} };
  return {
    listRefs: (input) => turn.inWorker<typeof listRefsWork>(listRefsModule, { ...input, remote }, { limitMs }),
    fetch(input) {
      // What follows a known commit is small, and somebody waits for it.
      const isLarge = input.known === undefined;
      return turn.inWorker<typeof fetchWork>(fetchModule, { ...input, remote }, { ...options, isLarge });
    },
    push: (input) => turn.inWorker<typeof pushWork>(pushModule, { ...input, remote }, options),
  };
}

function unavailable(outcome: Extract<Remote['ssh'], { fault: object }>): Transport {
  const answer = async () => outcome;
  return { listRefs: answer, fetch: answer, push: answer };
}
