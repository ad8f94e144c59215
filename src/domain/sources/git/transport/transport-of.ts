import { ownModule } from '../../../../platform/own-files.ts';
import type { work } from './http-work.ts';
import { OPERATIONS } from './operations.ts';
import type { Remote } from './remote.ts';
import { outcomeOf } from './remote-fault.ts';
import { withSshRepository } from './ssh-repository.ts';
import type { Operations, Outcome, Transport, TransportOptions } from './transport.ts';

const httpModule = ownModule('domain/sources/git/transport/http-work.ts');

/** Returns the transport for a repository: the program `git` for SSH, and isomorphic-git in workers for HTTP. */
export function transportOf(remote: Remote, options: TransportOptions): Transport {
  const run = <Name extends keyof Operations>(name: Name, input: Operations[Name]['input'], isLarge = false) =>
    remote.ssh ? overSsh(remote.ssh, name, input) : overHttp(name, input, isLarge);

  const overHttp = <Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]['input'],
    isLarge: boolean,
  ): Promise<Outcome<Name>> => {
    const { slot, limitMs } = options;
    return slot.inWorker<typeof work<Name>>(
      httpModule,
      { name, remote, input },
      { limitMs, isLarge, onMessage: () => {} },
    );
  };

  const overSsh = async <Name extends keyof Operations>(
    access: NonNullable<Remote['ssh']>,
    name: Name,
    input: Operations[Name]['input'],
  ): Promise<Outcome<Name>> => {
    if ('fault' in access) return access;
    return outcomeOf(() =>
      withSshRepository(remote, access, options, (repository) => OPERATIONS[name](repository, input)),
    );
  };

  return {
    listRefs: (input) => run('listRefs', input),
    // The commits after a known one are few, and their author waits for them.
    fetch: (input) => run('fetch', input, input.known === undefined),
    push: (input) => run('push', input),
  };
}
