import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';
import { ownModule } from '../../../../platform/own-files.ts';
import type { work } from './http-work.ts';
import { OPERATIONS } from './operations.ts';
import type { Remote } from './remote.ts';
import { outcomeOf } from './remote-fault.ts';
import { withSshRepository } from './ssh-repository.ts';
import type { Operations, Transport, TransportOptions, TransportResult } from './transport.ts';

const httpModule = ownModule('domain/sources/git/transport/http-work.ts');

/** A server that is slow must not hold a slot for longer. */
const TOTAL_MS = 600_000;

/** Returns the transport for a repository: the program `git` for SSH, and isomorphic-git in workers for HTTP. */
export function transportOf(remote: Remote, options: TransportOptions): Transport {
  const run = <Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]['input'],
    { isLarge = false, within = options }: { isLarge?: boolean; within?: TransportOptions } = {},
  ) => (remote.ssh ? overSsh(remote.ssh, name, input, within) : overHttp(name, input, { isLarge, within }));

  const overHttp = <Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]['input'],
    { isLarge, within: { slot, limitMs } }: { isLarge: boolean; within: TransportOptions },
  ): Promise<TransportResult<Name>> =>
    slot.inWorker<typeof work<Name>>(httpModule, { name, remote, input }, { limitMs, isLarge, onMessage: () => {} });

  const overSsh = async <Name extends keyof Operations>(
    access: NonNullable<Remote['ssh']>,
    name: Name,
    input: Operations[Name]['input'],
    within: TransportOptions,
  ): Promise<TransportResult<Name>> => {
    if ('fault' in access) return access;
    return outcomeOf(() =>
      withSshRepository(remote, access, within, (repository) => OPERATIONS[name](repository, input)),
    );
  };

  return {
    listRefs: (input) =>
      withTimeLimit({ ...options, totalMs: options.limitMs }, (within) => run('listRefs', input, { within })),
    // The commits after a known one are few, and their author waits for them.
    fetch: (input) =>
      withTimeLimit(options, (within) => run('fetch', input, { isLarge: input.known === undefined, within })),
    push: (input) => withTimeLimit(options, (within) => run('push', input, { within })),
  };
}

/** Runs an operation that ends with `WorkExceeded` once all of it takes too long. */
async function withTimeLimit<Result>(
  { slot, limitMs, totalMs = TOTAL_MS }: TransportOptions,
  act: (within: TransportOptions) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(WorkExceeded.time(totalMs)), totalMs);
  const bounded: TransportOptions['slot'] = {
    signal: AbortSignal.any([slot.signal, ending.signal]),
    inWorker: (module, input, workerOptions) =>
      slot.inWorker(module, input, { ...workerOptions, signal: ending.signal }),
  };
  try {
    return await act({ slot: bounded, limitMs });
  } finally {
    clearTimeout(timer);
  }
}
