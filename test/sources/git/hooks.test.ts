import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { gitServer, newSpace, pagesIn, settleGit } from './arrange.ts';
import { connect, connectionOf, follow, githubHook, hook, postStatus, start } from './connect.ts';
import { providerApi } from './provider-api.ts';

const { admin, organizationId, url, app } = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const server = await gitServer();
const api = await providerApi();

let names = 0;
async function connected(settings: object = {}) {
  const repository = await server.repository(`hooks-${names++}`);
  await repository.commit({ 'README.md': '# Home\n\nText.\n' });
  const spaceId = await newSpace(admin, organizationId);
  const withToken = repository.url.replace('http://', 'http://ann:api-token@');
  const connection = await connect(admin, spaceId, { url: withToken, apiUrl: api.url, ...settings });
  await start(admin, spaceId);
  return { repository, ...connection };
}

const wanted = async (spaceId: string) =>
  (
    await app.services.db
      .selectFrom('git_connection')
      .where('spaceId', '=', spaceId)
      .select('wantedAt')
      .executeTakeFirstOrThrow()
  ).wantedAt !== null;

const PUSH = { ref: 'refs/heads/main', after: '1'.repeat(40) };

test('a signed push requests a synchronization, and a repeated one no further', async () => {
  const connection = await connected();
  expect(await githubHook(url, connection, 'ping', { zen: 'Keep it simple.' })).toBe(202);
  expect(await githubHook(url, connection, 'push', { ...PUSH, ref: 'refs/heads/other' })).toBe(202);
  expect(await wanted(connection.spaceId)).toBe(false);
  expect(await githubHook(url, connection, 'push', PUSH)).toBe(202);
  expect(await githubHook(url, connection, 'push', PUSH)).toBe(202);
  expect(await wanted(connection.spaceId)).toBe(true);
  expect(await connectionOf(admin, connection.spaceId)).toMatchObject({ hookSeenAt: expect.any(String) });
});

test('the secret is proved as GitHub, GitLab and others do', async () => {
  const { id, spaceId, hookSecret } = await connected();
  for (const header of ['x-gitlab-token', 'x-stemma-token']) {
    expect(await hook(url, id, JSON.stringify(PUSH), { [header]: hookSecret })).toBe(202);
    expect(await hook(url, id, JSON.stringify(PUSH), { [header]: `${hookSecret}x` })).toBe(401);
  }
  expect(await wanted(spaceId)).toBe(true);
  expect(await hook(url, id, 'not JSON', { 'x-stemma-token': hookSecret })).toBe(202);
});

test('a new secret replaces the former one', async () => {
  const { id, spaceId, hookSecret } = await connected();
  const { status, body, headers } = await admin.post(`/v1/spaces/${spaceId}/git/connection/rotate-hook-secret`, {});
  expect([status, body.id, headers.get('cache-control')]).toEqual([200, id, 'no-store']);
  const mutated = await admin.mutate('rotateGitHookSecret', { spaceId }, 'connection { id } hookSecret');
  expect(mutated.connection.id).toBe(id);
  const statusWith = (secret: string) => hook(url, id, JSON.stringify(PUSH), { 'x-gitlab-token': secret });
  expect(await statusWith(hookSecret)).toBe(401);
  expect(await statusWith(body.hookSecret)).toBe(401);
  expect(await statusWith(mutated.hookSecret)).toBe(202);
  expect(await connectionOf(admin, spaceId)).not.toHaveProperty('hookSecret');
});

test('whatever does not prove the secret is refused alike, and changes nothing', async () => {
  const connection = await connected();
  const { id, spaceId } = connection;
  const body = JSON.stringify(PUSH);
  expect(await hook(url, id, body, {})).toBe(401);
  expect(await hook(url, id, body, { 'x-hub-signature-256': 'sha256=00' })).toBe(401);
  expect(await githubHook(url, { ...connection, hookSecret: 'another' }, 'push', PUSH)).toBe(401);
  expect(await hook(url, 'gitconnection_00000000000000000000000000', body, { 'x-gitlab-token': 'x' })).toBe(401);
  expect(await hook(url, 'nothing', body, { 'x-hub-signature-256': 'sha256=00' })).toBe(401);
  expect(await wanted(spaceId)).toBe(false);
  expect(await connectionOf(admin, spaceId)).not.toHaveProperty('hookSeenAt');
});

test('large payloads are verified to their end, and those over 25 MB refused', async () => {
  const connection = await connected();
  const commits = Array.from({ length: 2_000 }, (_, index) => ({ id: index, message: 'x'.repeat(1_000) }));
  expect(await githubHook(url, connection, 'push', { ...PUSH, commits })).toBe(202);
  expect(await wanted(connection.spaceId)).toBe(true);
  const tooLarge = new Uint8Array(26 * 1024 * 1024);
  expect(await hook(url, connection.id, tooLarge, { 'x-hub-signature-256': 'sha256=00' })).toBe(413);
});

test('a pull request becomes a revision beside the content, with the status of its commit', async () => {
  const connection = await connected();
  const { repository, spaceId } = connection;
  await repository.commit({ 'README.md': '# Home\n\nText.\n', 'new.md': '# New\n' }, 'topic');
  const commit = (await repository.tip('topic')) ?? '';
  repository.refs.set('refs/pull/7/head', commit);
  const payload = { action: 'opened', number: 7, pull_request: { head: { sha: commit }, base: { ref: 'main' } } };
  expect(await githubHook(url, connection, 'pull_request', payload)).toBe(202);
  const run = await settleGit(admin, spaceId);
  expect(run).toMatchObject({ status: 'completed', standalone: true, pullRequestNumber: 7, commit });
  expect(await pagesIn(admin, spaceId)).toHaveLength(1);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/revisions/${run.revision}/pages`);
  expect(body.pages).toHaveLength(2);
  await postStatus(admin, run.id);
  expect(api.requests.filter(({ path }) => path.includes(commit))).toMatchObject([
    {
      path: `POST /repos/hooks-${names - 1}/statuses/${commit}`,
      token: 'Bearer api-token',
      body: { state: 'success', context: 'stemma', target_url: expect.stringContaining(run.revision) },
    },
  ]);
  expect((await admin.get(`/v1/spaces/${spaceId}/git/runs/${run.id}`)).body.log.at(-1).message).toContain('Posted');
  // Once more, as a replay.
  const count = (await admin.get(`/v1/spaces/${spaceId}/git/runs`)).body.count;
  expect(await githubHook(url, connection, 'pull_request', payload)).toBe(202);
  expect((await admin.get(`/v1/spaces/${spaceId}/git/runs`)).body.count).toBe(count);
});

test('the status of a pull request is not posted to a repository that was connected after its import', async () => {
  const connection = await connected();
  const { repository, spaceId } = connection;
  await repository.commit({ 'README.md': '# Home\n\nOther text.\n' }, 'topic');
  const commit = (await repository.tip('topic')) ?? '';
  repository.refs.set('refs/pull/8/head', commit);
  const payload = { action: 'opened', number: 8, pull_request: { head: { sha: commit }, base: { ref: 'main' } } };
  expect(await githubHook(url, connection, 'pull_request', payload)).toBe(202);
  const run = await settleGit(admin, spaceId);
  const other = await server.repository(`hooks-${names++}`);
  const settings = { url: other.url.replace('http://', 'http://ann:api-token@'), apiUrl: api.url };
  expect((await admin.patch(`/v1/spaces/${spaceId}/git/connection`, settings)).status).toBe(200);
  await postStatus(admin, run.id);
  expect(api.requests.filter(({ path }) => path.includes(commit))).toEqual([]);
});

test('a merge request of GitLab that cannot be read gets a failed status', async () => {
  const connection = await connected({ provider: 'gitlab' });
  const commit = 'a'.repeat(40);
  const payload = { object_attributes: { action: 'open', iid: 3, target_branch: 'main', last_commit: { id: commit } } };
  const headers = { 'x-gitlab-token': connection.hookSecret, 'x-gitlab-event': 'Merge Request Hook' };
  expect(await hook(url, connection.id, JSON.stringify(payload), headers)).toBe(202);
  const run = await settleGit(admin, connection.spaceId);
  expect(run).toMatchObject({ status: 'failed', ref: 'refs/merge-requests/3/head' });
  expect(await connectionOf(admin, connection.spaceId)).toMatchObject({ state: 'active' });
  await postStatus(admin, run.id);
  expect(api.requests.filter(({ path }) => path.includes(commit))).toMatchObject([
    {
      path: `POST /projects/hooks-${names - 1}/statuses/${commit}`,
      token: 'api-token',
      body: { state: 'failed', name: 'stemma' },
    },
  ]);
});

test('changes of a space and the end of a run request a synchronization', async () => {
  const { spaceId } = await connected();
  await follow(admin, [{ kind: 'space_content_updated', spaceId, ids: {} }]);
  expect(await wanted(spaceId)).toBe(false);
  await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertPage: { kind: 'DOCUMENT', title: 'Mine' } }] },
    'pageIds',
  );
  await follow(admin, [{ kind: 'space_content_updated', spaceId, ids: {} }]);
  expect(await wanted(spaceId)).toBe(true);
});
