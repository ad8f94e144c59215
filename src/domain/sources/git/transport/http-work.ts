import { withBoundedObjects } from './bounded-objects.ts';
import { gitHttp } from './http-client.ts';
import { HttpRepository } from './http-repository.ts';
import { OPERATIONS } from './operations.ts';
import type { Remote } from './remote.ts';
import { outcomeOf } from './remote-fault.ts';
import type { Operations, TransportResult } from './transport.ts';

export interface HttpWork<Name extends keyof Operations> {
  name: Name;
  remote: Remote;
  input: Operations[Name]['input'];
}

/** Runs in a worker: an operation on a repository over HTTP. */
export async function work<Name extends keyof Operations>(
  { name, remote, input }: HttpWork<Name>,
  post: (beat: true) => void,
): Promise<TransportResult<Name>> {
  const http = gitHttp(remote);
  try {
    const repository = new HttpRepository(remote, http, post);
    return await outcomeOf(() => withBoundedObjects(() => OPERATIONS[name](repository, input)));
  } finally {
    await http.close();
  }
}
