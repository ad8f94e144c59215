import fs from 'node:fs';
import git from 'isomorphic-git';
import { withBoundedObjects } from './bounded-objects.ts';
import { faultOf, faultOfPush, MOVED } from './fault-of.ts';
import { gitdirIn } from './gitdir-in.ts';
import { gitHttp } from './http-client.ts';
import { discoverRefs, sendPack, ZERO_OID } from './receive-pack.ts';
import type { Remote, RemoteFault } from './remote.ts';

export interface PushInput {
  remote: Remote;
  /** Folder of the commit. */
  folder: string;
  oid: string;
  /** The commit that the branch must have on the server; null if it must not exist. */
  parent: string | null;
  /** The objects that the server does not have. */
  objects: string[];
  /** Another branch to push to, which is replaced. */
  instead?: string | undefined;
}

export type PushOutcome = { pushed: true } | { fault: RemoteFault };

/**
 * Runs in a thread: pushes a commit. Only the new objects are sent, and only to a branch that has not moved: a commit that somebody
 * else pushed is never replaced. A commit that the branch has already counts as pushed.
 * With `instead`, the commit replaces what that branch has.
 */
export async function work(input: PushInput, post: (beat: true) => void): Promise<PushOutcome> {
  const http = gitHttp(input.remote);
  try {
    const fault = await withBoundedObjects(() => push(input, http, post));
    return fault ? { fault } : { pushed: true };
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return { fault };
    throw error;
  } finally {
    await http.close();
  }
}

async function push(
  { remote, folder, oid, parent, objects, instead }: PushInput,
  http: ReturnType<typeof gitHttp>,
  post: (beat: true) => void,
): Promise<RemoteFault | undefined> {
  const { url } = remote;
  const ref = instead ?? remote.ref;
  const advertised = await discoverRefs(http, url);
  const old = advertised.refs.get(ref) ?? ZERO_OID;
  if (old === oid) return undefined;
  if (instead === undefined && old !== (parent ?? ZERO_OID)) return MOVED;
  const { packfile = new Uint8Array() } = await git.packObjects({ fs, gitdir: gitdirIn(folder), oids: objects });
  post(true);
  const reason = await sendPack(http, url, { ref, old, oid, pack: packfile }, advertised);
  return reason === undefined ? undefined : faultOfPush(reason);
}
