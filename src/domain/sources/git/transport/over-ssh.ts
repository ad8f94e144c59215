import { ownModule } from '../../../../platform/own-files.ts';
import { isAncestor } from './ancestry.ts';
import { faultOf, noBranch, RemoteError } from './fault-of.ts';
import type { Fetched, FetchInput } from './fetch-work.ts';
import { readCommit } from './git-objects.ts';
import { MAX_FETCHED_PACK_BYTES } from './git-program.ts';
import { gitdirIn } from './gitdir-in.ts';
import { listedIn } from './listed-refs.ts';
import { openBatch } from './object-batch.ts';
import type { work as readFetched } from './read-fetched-work.ts';
import type { Remote, RemoteFault, SshAccess } from './remote.ts';
import { SshCalls } from './ssh-calls.ts';
import { openSsh } from './ssh-command.ts';
import type { Transport, TransportOptions } from './transport.ts';

const readModule = ownModule('domain/sources/git/transport/read-fetched-work.ts');

/** Reads and writes branches over SSH with the program `git`, in processes of its own. */
export function overSsh(remote: Remote, access: SshAccess, options: TransportOptions): Transport {
  const during = <Outcome>(act: (calls: SshCalls) => Promise<Outcome>) => withSession(remote, access, options, act);
  return {
    listRefs: ({ commit, forPush }) =>
      during(async (calls) => {
        if (forPush) await calls.askForPush();
        return { refs: listedIn(await calls.refs(), { ref: remote.ref, commit }) };
      }),
    fetch: (input) => during(async (calls) => ({ fetched: await fetchFiles(remote, input, calls, options) })),
    push: (input) =>
      during(async (calls) => {
        const fault = await calls.push(remote.ref, input);
        return fault ? { fault } : { pushed: true as const };
      }),
  };
}

async function withSession<Outcome>(
  remote: Remote,
  access: SshAccess,
  options: TransportOptions,
  act: (calls: SshCalls) => Promise<Outcome>,
): Promise<Outcome | { fault: RemoteFault }> {
  try {
    await using session = await openSsh(remote, access);
    try {
      return await act(new SshCalls(access.program, session, options));
    } finally {
      if (access.hostKeys.length === 0) await access.pin(await session.hostKeys());
    }
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return { fault };
    throw error;
  }
}

type Input = Omit<FetchInput, 'remote'>;

async function fetchFiles(
  { ref }: Remote,
  { directory, folder, depth, known }: Input,
  calls: SshCalls,
  { turn, limitMs }: TransportOptions,
): Promise<Fetched> {
  const gitdir = gitdirIn(folder);
  await calls.init(gitdir);
  const fault = await calls.fetch(gitdir, ref, depth);
  const packRoom = MAX_FETCHED_PACK_BYTES - (await calls.packBytes(gitdir));
  if (fault?.code === 'NO_BRANCH') {
    if ((await calls.refs()).length > 0) throw noBranch(ref);
    return { commit: null, files: [], skipped: [], packRoom };
  }
  if (fault) throw new RemoteError(fault.code, fault.message);
  const [oid = '', ...others] = await calls.fetchedCommits(gitdir);
  const ancestors = depth === 1 ? [] : others.slice(0, depth - 1);
  const input = { program: calls.program, oid, ancestors, directory, folder };
  const read = await turn.inWorker<typeof readFetched>(readModule, input, { limitMs, onMessage: () => {} });
  if ('fault' in read) throw new RemoteError(read.fault.code, read.fault.message);
  return {
    ...read.tip,
    packRoom,
    hasKnown: known === undefined ? undefined : await hasCommit(known, ref, calls, { gitdir, oid }),
  };
}

/** Whether the branch has a commit in its history. */
async function hasCommit(
  commit: string,
  ref: string,
  calls: SshCalls,
  { gitdir, oid: tip }: { gitdir: string; oid: string },
): Promise<boolean | undefined> {
  // The program does not see what is fetched after it has started.
  const parents = new Map<string, string[]>();
  const load = async () => {
    const objects = openBatch(gitdir, calls.program);
    try {
      for (const oid of await calls.fetchedCommits(gitdir)) {
        if (!parents.has(oid)) parents.set(oid, (await readCommit(objects, oid)).parents);
      }
    } finally {
      objects.close();
    }
  };
  await load();
  const deepen = async (depth: number) => {
    const fault = await calls.fetch(gitdir, ref, depth);
    if (fault) throw new RemoteError(fault.code, fault.message);
    await load();
  };
  return isAncestor({ tip, parentsOf: async (oid) => parents.get(oid), deepen }, commit);
}
