import { createHmac } from 'node:crypto';
import { followSpaces } from '../../../src/domain/sources/git/connections/follow-spaces.ts';
import { postGitStatus } from '../../../src/domain/sources/git/connections/post-git-status.ts';
import { syncConnection } from '../../../src/domain/sources/git/connections/sync-connection.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import type { Client } from '../../client.ts';
import { appAt } from '../../world.ts';
import { settleGit } from './arrange.ts';

export interface Connected {
  spaceId: string;
  id: string;
  hookSecret: string;
}

/** Connects a space over REST. */
export async function connect(client: Client, spaceId: string, settings: object): Promise<Connected> {
  const { status, body } = await client.post(`/v1/spaces/${spaceId}/git/connection`, {
    ref: 'refs/heads/main',
    ...settings,
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return { spaceId, id: body.id, hookSecret: body.hookSecret };
}

/** Starts a connection and waits for its first run. */
export async function start(client: Client, spaceId: string, side?: 'branch' | 'space') {
  const { status, body } = await client.post(`/v1/spaces/${spaceId}/git/connection/start`, side ? { side } : {});
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
  await settleGit(client, spaceId);
  return connectionOf(client, spaceId);
}

/** Synchronizes as workers do, until there is nothing more to do. Answers the connection. */
export async function synchronize(client: Client, spaceId: string) {
  for (let round = 0; round < 4; round++) {
    const before = await runsOf(client, spaceId);
    await syncOnce(client, spaceId);
    if ((await runsOf(client, spaceId)) === before) break;
    await settleGit(client, spaceId);
  }
  return connectionOf(client, spaceId);
}

/** Looks once at what there is to synchronize, as its job does, and starts the run that does it. */
export async function syncOnce(client: Client, spaceId: string): Promise<void> {
  const { id: gitConnectionId } = await connectionOf(client, spaceId);
  const attempt = { signal: new AbortController().signal, retries: 0 };
  await syncConnection.run(jobContext(appAt(client.url).services, 'test'), { gitConnectionId }, attempt);
}

const runsOf = async (client: Client, spaceId: string): Promise<number> =>
  (await client.get(`/v1/spaces/${spaceId}/git/runs?limit=1`)).body.count;

export const connectionOf = async (client: Client, spaceId: string) =>
  (await client.get(`/v1/spaces/${spaceId}/git/connection`)).body;

/** Posts commit statuses of an ended run, as its job does. */
export const postStatus = (client: Client, gitRunId: string): Promise<void> =>
  postGitStatus.run(
    jobContext(appAt(client.url).services, 'test'),
    { gitRunId },
    { signal: new AbortController().signal, retries: 0 },
  );

/** Gives events to the consumer of connections. */
export const follow = (client: Client, events: object[]): Promise<void> =>
  followSpaces.take(jobContext(appAt(client.url).services, 'test'), events as never);

/** Sends a webhook as GitHub does. */
export async function githubHook(
  url: string,
  { id, hookSecret }: Connected,
  event: string,
  payload: object,
  headers: Record<string, string> = {},
): Promise<number> {
  const body = JSON.stringify(payload);
  const signature = `sha256=${createHmac('sha256', hookSecret).update(body).digest('hex')}`;
  return hook(url, id, body, { 'x-github-event': event, 'x-hub-signature-256': signature, ...headers });
}

/** Sends a request to a hook, and answers its status. */
export async function hook(
  url: string,
  gitConnectionId: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<number> {
  const response = await fetch(`${url}/v1/hooks/git/${gitConnectionId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
