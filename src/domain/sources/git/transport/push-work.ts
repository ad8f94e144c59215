import fs from 'node:fs';
import git from 'isomorphic-git';
import { withBoundedObjects } from './bounded-objects.ts';
import { faultOf } from './fault-of.ts';
import { gitdirIn } from './fetch-work.ts';
import { gitHttp } from './http-client.ts';
import type { Remote, RemoteFault } from './remote.ts';

export interface PushInput {
  remote: Remote;
  /** Folder of the commit, which the branch has there. */
  folder: string;
  /** Another branch to push to, which is replaced. */
  instead?: string | undefined;
}

export type PushOutcome = { pushed: true } | { fault: RemoteFault };

/** Runs in a thread: pushes the commit of a branch, which must not have moved on the server. */
export async function work({ remote, folder, instead }: PushInput, post: (beat: true) => void): Promise<PushOutcome> {
  const http = gitHttp(remote);
  const { url, ref } = remote;
  const options = { fs, http, gitdir: gitdirIn(folder), url, remote: 'origin', ref, remoteRef: instead ?? ref };
  try {
    await withBoundedObjects(() =>
      git.push({ ...options, force: instead !== undefined, onProgress: () => post(true) }),
    );
    return { pushed: true };
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return { fault };
    throw error;
  } finally {
    await http.close();
  }
}
