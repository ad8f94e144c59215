import { expect, test } from 'vitest';
import { pollGitConnections } from '../../../src/domain/sources/git/connections/poll-connections.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { isThorough } from '../../how-thorough.ts';
import { world } from '../../world.ts';
import { edit, gitServer, newSpace, pageAt } from './arrange.ts';
import { connect, connectionOf, start, synchronize } from './connect.ts';
import { providerApi } from './provider-api.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1', GIT_POLL_SECONDS: '300' });
const { admin, organizationId, app } = here;
const { services } = app;
const server = await gitServer();
const api = await providerApi();

const FILES = {
  'README.md': '# Home\n\nFirst.\n',
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n',
};
const MINUTE = 60_000;

let names = 0;
async function started(settings: object = {}) {
  const repository = await server.repository(`states-${names++}`);
  await repository.commit(FILES);
  const spaceId = await newSpace(admin, organizationId);
  const connection = await connect(admin, spaceId, { url: repository.url, ...settings });
  await start(admin, spaceId);
  return { repository, ...connection };
}

const write = async (spaceId: string, markdown: string) =>
  edit(admin, spaceId, [{ updatePage: { pageId: await pageAt(admin, spaceId, 'home'), document: { markdown } } }]);

/** Polls as the job of each minute does. Answers whether a connection is to be synchronized, and forgets that it is. */
async function isPolled(id: string): Promise<boolean> {
  const attempt = { signal: new AbortController().signal, retries: 0 };
  await pollGitConnections.run(jobContext(services, 'test'), {}, attempt);
  const wanted = await services.db
    .updateTable('git_connection')
    .set({ wantedAt: null })
    .where('id', '=', id)
    .where('wantedAt', 'is not', null)
    .executeTakeFirst();
  return wanted.numUpdatedRows === 1n;
}

test('a branch without a hook is looked at again when its time has come, and less often after failures', async () => {
  const { id, spaceId, repository } = await started();
  await synchronize(admin, spaceId);
  await isPolled(id);
  expect(await isPolled(id)).toBe(false);
  here.advance(6 * MINUTE);
  expect(await isPolled(id)).toBe(true);
  repository.credentials = 'somebody:else';
  // After one failure twice the time, after two four times.
  for (const minutes of [10, 20]) {
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'unauthorized' });
    here.advance((minutes - 1) * MINUTE);
    expect(await isPolled(id)).toBe(false);
    here.advance(2 * MINUTE);
    expect(await isPolled(id)).toBe(true);
  }
  repository.credentials = undefined;
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  here.advance(6 * MINUTE);
  expect(await isPolled(id)).toBe(true);
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { paused: true });
  await isPolled(id);
  here.advance(60 * MINUTE);
  expect(await isPolled(id)).toBe(false);
});

test('a connection whose user can no longer change the space is forbidden until somebody else takes it over', async () => {
  const { id, spaceId, repository } = await started();
  await services.db.updateTable('git_connection').set({ userId: here.reader.userId }).where('id', '=', id).execute();
  await repository.commit({ 'README.md': '# Home\n\nMore.\n' });
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'forbidden',
    remedy: expect.stringContaining('update or start'),
  });
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { commitMessage: '{subject}' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
});

test('a push that is refused everywhere is a state with the reason of the server', async () => {
  const { spaceId, repository } = await started();
  repository.refusal = 'commits need a ticket';
  await write(spaceId, 'First!');
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'push-rejected',
    stateDetail: expect.stringContaining('commits need a ticket'),
  });
  expect(await repository.files()).toEqual(FILES);
  repository.refusal = undefined;
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await repository.files())['README.md']).toBe('# Home\n\nFirst!\n');
});

// Packing 33 MB takes half a minute, and exporting to 20,000 files ten seconds. The limit of files is the same state.
test.runIf(isThorough)('a branch that is too large is a state, and leaves the space as it is', async () => {
  const { spaceId, repository } = await started();
  const before = (await admin.get(`/v1/spaces/${spaceId}`)).body.revision;
  await repository.commit({ 'huge.bin': Buffer.alloc(33 * 1024 * 1024) });
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'too-large',
    remedy: expect.stringContaining('repoProjectDirectory'),
  });
  expect((await admin.get(`/v1/spaces/${spaceId}`)).body.revision).toBe(before);
  await repository.commit({ 'huge.bin': null });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
});

test('a branch with more than 20,000 files is too large, until it has fewer', async () => {
  const { spaceId, repository } = await started();
  const before = (await admin.get(`/v1/spaces/${spaceId}`)).body.revision;
  const tip = await repository.commitCopies({ directories: 101, files: 200 });
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'too-large',
    stateDetail: expect.stringContaining('more than 20000 files'),
    remedy: expect.stringContaining('repoProjectDirectory'),
  });
  expect((await admin.get(`/v1/spaces/${spaceId}`)).body.revision).toBe(before);
  expect(await repository.tip()).toBe(tip);
  await repository.rewrite(FILES);
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
});

test.runIf(isThorough)(
  'an export that would give a branch more than 20,000 files is refused, until the space has fewer',
  async () => {
    const { spaceId, repository } = await started();
    const tip = await repository.commitCopies({ directories: 101, files: 198 });
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
    await edit(admin, spaceId, [{ insertPage: { title: 'One more' } }]);
    expect(await synchronize(admin, spaceId)).toMatchObject({
      state: 'too-large',
      stateDetail: expect.stringContaining('would have more than 20000 files'),
      remedy: expect.stringContaining('the space'),
    });
    expect(await repository.tip()).toBe(tip);
    await edit(admin, spaceId, [{ deletePage: { pageId: await pageAt(admin, spaceId, 'one-more') } }]);
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  },
);

const namesOf = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`);

/** Changes that set so many variables, 200 at a time. */
const setting = (all: readonly string[], value: string | null) =>
  Array.from({ length: Math.ceil(all.length / 200) }, (_, at) => {
    const some = all.slice(at * 200, (at + 1) * 200);
    return { setVariables: { variables: Object.fromEntries(some.map((name) => [name, value])) } };
  });

test('a branch whose front matter would fill the memory is too large', async () => {
  const { spaceId, repository } = await started();
  const page = `---\ncover:\n  light: &url https://example.com/${'c'.repeat(60_000)}\n  dark: *url\n---\n`;
  const pages = Object.fromEntries(Array.from({ length: 290 }, (_, index) => [`p${index}.md`, page]));
  await repository.commit({ 'SUMMARY.md': null, ...pages });
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'too-large',
    stateDetail: expect.stringContaining('The front matter of all pages together is too large.'),
  });
});

test('a merge after which the space would have too many variables is refused, until it has fewer', async () => {
  const { spaceId, repository } = await started();
  const [first, ofBranch, ofSpace] = [namesOf(600, 'a'), namesOf(300, 'b'), namesOf(200, 'c')];
  await edit(admin, spaceId, setting(first, 'x'));
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  const written = [...first, ...ofBranch].map((name) => `${name}: x\n`).join('');
  await repository.commit({ '.gitbook/vars.yaml': written });
  await edit(admin, spaceId, setting(ofSpace, 'x'));
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'too-large',
    stateDetail: expect.stringContaining('at most 1000 variables'),
  });
  await edit(admin, spaceId, setting(ofSpace, null));
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
});

test('a protected branch of GitLab gets a merge request; one that is open already is no failure', async () => {
  const { spaceId, repository } = await started({ provider: 'gitlab', apiUrl: api.url });
  const url = repository.url.replace('http://', 'http://oauth2:gitlab-token@');
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { url, apiUrl: api.url });
  Object.assign(repository, { refusal: 'not allowed to push to protected branches', protectedRef: 'refs/heads/main' });
  api.status = 409;
  await write(spaceId, 'First!');
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'protected',
    proposalRef: 'refs/heads/stemma/main',
  });
  expect(await connectionOf(admin, spaceId)).not.toHaveProperty('pullRequestUrl');
  api.status = 201;
  await write(spaceId, 'First!!');
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'protected',
    pullRequestUrl: 'https://example.com/acme/docs/pull/7',
  });
  const name = repository.url.split('/').at(-1)?.replace('.git', '');
  const query = 'state=opened&source_branch=stemma%2Fmain&target_branch=main&per_page=100';
  expect(api.requests).toMatchObject([
    { path: `POST /projects/${name}/merge_requests` },
    { path: `GET /projects/${name}/merge_requests?${query}`, token: 'gitlab-token' },
    {},
  ]);
  expect(api.requests[2]).toEqual({
    path: `POST /projects/${name}/merge_requests`,
    token: 'gitlab-token',
    body: { source_branch: 'stemma/main', target_branch: 'main', title: expect.any(String), description: '' },
  });
});

test.each([
  ['github', 422, 'A pull request already exists for acme:stemma/main.'],
  ['gitlab', 409, 'Another open merge request already exists for this source branch: !7'],
])(
  'the pull request of %s stays while it is open, and is replaced by the next one',
  async (provider, status, message) => {
    const { spaceId, repository } = await started({ provider, apiUrl: api.url });
    const url = repository.url.replace('http://', 'http://ann:api-token@');
    await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { url, apiUrl: api.url });
    Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: 'refs/heads/main' });
    const proposed = async (markdown: string, answer: object) => {
      Object.assign(api, answer);
      await write(spaceId, markdown);
      const { state, pullRequestUrl } = await synchronize(admin, spaceId);
      const { body } = await admin.get(`/v1/spaces/${spaceId}/git/runs?limit=1`);
      const run = await admin.get(`/v1/spaces/${spaceId}/git/runs/${body.items[0].id}`);
      expect(JSON.stringify(run.body)).not.toContain('could not be opened');
      return [state, pullRequestUrl];
    };
    const [first, second] = [7, 8].map((number) => `https://example.com/acme/docs/pull/${number}`);
    expect(await proposed('One.', { status: 201, pullRequest: 7, message: '' })).toEqual(['protected', first]);
    expect(await proposed('Two.', { status, message })).toEqual(['protected', first]);
    expect(await proposed('Three.', { status: 201, pullRequest: 8, message: '' })).toEqual(['protected', second]);
  },
);

test.each([
  ['github', 422, 'A pull request already exists for acme:stemma/main.', {}],
  ['gitlab', 409, 'Another open merge request already exists', { source_project_id: 1, target_project_id: 1 }],
])(
  'a pull request of %s that was opened before a run was interrupted is found',
  async (provider, status, message, own) => {
    const { spaceId, repository } = await started({ provider, apiUrl: api.url });
    const url = repository.url.replace('http://', 'http://ann:api-token@');
    await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { url, apiUrl: api.url });
    Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: 'refs/heads/main' });
    const [ofFork, found] = [8, 9].map((number) => `https://example.com/acme/docs/pull/${number}`);
    const fork = { html_url: ofFork, web_url: ofFork, source_project_id: 2, target_project_id: 1 };
    const ofForks = Array.from({ length: 25 }, () => fork);
    Object.assign(api, { status, message, open: [...ofForks, { html_url: found, web_url: found, ...own }] });
    await write(spaceId, 'One.');
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected', pullRequestUrl: found });
    Object.assign(api, { status: 201, message: '', open: [] });
  },
);
