import { expect, test } from 'vitest';
import type { GitRepository } from '../../git-server.ts';
import { withoutTitle } from '../../without-title.ts';
import { world } from '../../world.ts';
import { edit, gitServer, markdownAt, newSpace, pageAt, pagesIn, settleGit, sync } from './arrange.ts';
import { connect, connectionOf, githubHook, start, synchronize, syncOnce } from './connect.ts';
import { providerApi } from './provider-api.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1' });
const { admin, creator, editor, reader, outsider, anonymous, organizationId, app } = here;
const server = await gitServer();
const api = await providerApi();

const FILES = {
  'README.md': '# Home\n\nFirst.\n\nSecond.\n',
  'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Other](other.md)\n',
  'other.md': '# Other\n\nText.\n',
};

let names = 0;
async function connected(settings: object = {}) {
  const repository = await server.repository(`connected-${names++}`);
  await repository.commit(FILES);
  const spaceId = await newSpace(admin, organizationId);
  const connection = await connect(admin, spaceId, { url: repository.url, ...settings });
  return { repository, ...connection };
}

async function started(settings: object = {}) {
  const made = await connected(settings);
  expect(await start(admin, made.spaceId)).toMatchObject({ state: 'active' });
  return made;
}

const write = async (spaceId: string, path: string, markdown: string) =>
  edit(admin, spaceId, [{ updatePage: { pageId: await pageAt(admin, spaceId, path), document: { markdown } } }]);

test('a connection is created, read, updated and deleted over both transports', async () => {
  const { repository, spaceId, id, hookSecret } = await connected();
  expect(hookSecret).toMatch(/^githook_/);
  const path = `/v1/spaces/${spaceId}/git/connection`;
  expect((await admin.get(path)).body).toMatchObject({
    id,
    state: 'pending',
    remedy: expect.stringContaining('startGitConnection'),
    url: repository.url,
    ref: 'refs/heads/main',
    hasCredentials: false,
    hookUrl: expect.stringContaining(`/v1/hooks/git/${id}`),
  });
  expect((await admin.post(path, { url: repository.url, ref: 'refs/heads/main' })).status).toBe(409);
  const { connection } = await admin.mutate(
    'updateGitConnection',
    { spaceId, commitMessage: 'docs: {subject}', isPaused: true },
    'connection { id state commitMessage latestRuns { id } actsAs { id } }',
  );
  expect(connection).toMatchObject({ state: 'PAUSED', commitMessage: 'docs: {subject}', latestRuns: [] });
  expect((await admin.patch(path, { paused: false })).body).toMatchObject({ state: 'pending' });
  const { node, space } = await creator.graphql(
    'query($id: ID!, $spaceId: ID!) { node(id: $id) { ... on ConnectedGitBranch { url } } space(id: $spaceId) { gitConnection { state remedy } } }',
    { id, spaceId },
  );
  expect({ node, space }).toMatchObject({
    node: { url: repository.url },
    space: { gitConnection: { state: 'PENDING' } },
  });
  expect(await admin.mutate('deleteGitConnection', { spaceId }, 'deletedId space { id }')).toEqual({
    deletedId: id,
    space: { id: spaceId },
  });
  expect((await admin.get(path)).status).toBe(404);
  expect((await admin.delete(path)).status).toBe(204);
});

test('who cannot administer the space cannot connect it, and who cannot synchronize it does not see the connection', async () => {
  const { spaceId, id, repository } = await connected();
  const path = `/v1/spaces/${spaceId}/git/connection`;
  const body = { url: repository.url, ref: 'refs/heads/main' };
  for (const [caller, read, change] of [
    [creator, 200, 403],
    [editor, 403, 403],
    [reader, 403, 403],
    [outsider, 404, 404],
    [anonymous, 401, 401],
  ] as const) {
    expect((await caller.get(path)).status).toBe(read);
    expect((await caller.post(path, body)).status).toBe(change);
    expect((await caller.patch(path, { paused: true })).status).toBe(change);
    expect((await caller.post(`${path}/start`, {})).status).toBe(change);
    expect((await caller.post(`${path}/sync`)).status).toBe(read === 200 ? 409 : read);
    expect((await caller.delete(path)).status).toBe(change === 404 ? 204 : change);
  }
  for (const caller of [reader, outsider]) {
    const { node } = await caller.graphql('query($id: ID!) { node(id: $id) { id } }', { id });
    expect(node).toBeNull();
  }
  const { space } = await reader.graphql('query($id: ID!) { space(id: $id) { gitConnection { url } } }', {
    id: spaceId,
  });
  expect(space).toEqual({ gitConnection: null });
});

test('credentials are stored encrypted, never shown, and not sent to another repository', async () => {
  const { spaceId, repository } = await connected();
  repository.credentials = 'ann:s3cret-token';
  const url = repository.url.replace('http://', 'http://ann:s3cret-token@');
  const path = `/v1/spaces/${spaceId}/git/connection`;
  const { body } = await admin.patch(path, { url });
  expect(body).toMatchObject({ hasCredentials: true, url: repository.url });
  expect(JSON.stringify(body)).not.toContain('s3cret');
  const row = await app.services.db
    .selectFrom('git_connection')
    .where('spaceId', '=', spaceId)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(JSON.stringify({ ...row, credentials: Buffer.from(row.credentials ?? []).toString('latin1') })).not.toContain(
    's3cret',
  );
  expect(await start(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await admin.patch(path, { url: repository.url })).body).toMatchObject({
    hasCredentials: true,
    state: 'active',
  });
  const moved = await admin.patch(path, { url: `${repository.url}-other` });
  expect(moved.body).toMatchObject({ hasCredentials: false, state: 'pending' });
});

test('a dry run says what would change, and changes nothing', async () => {
  const { repository, spaceId } = await connected();
  await edit(admin, spaceId, [{ insertPage: { kind: 'DOCUMENT', title: 'Mine', document: { markdown: 'Text.' } } }]);
  const before = (await admin.get(`/v1/spaces/${spaceId}`)).body.revision;
  const path = `/v1/spaces/${spaceId}/git/connection/preview`;
  expect((await creator.post(path, {})).status).toBe(202);
  expect(await settleGit(admin, spaceId)).toMatchObject({
    status: 'completed',
    dryRun: true,
    preview: {
      pagesAdded: 2,
      pagesRemoved: 1,
      changes: expect.arrayContaining([
        { kind: 'page', change: 'added', path: 'other' },
        { kind: 'page', change: 'removed', path: 'mine' },
      ]),
    },
  });
  const { gitRun } = await admin.mutate('previewGitConnection', { spaceId, side: 'SPACE' }, 'gitRun { id }');
  await settleGit(admin, spaceId);
  const { node } = await admin.graphql(
    'query($id: ID!) { node(id: $id) { ... on GitRun { isDryRun preview { filesChanged changes { kind change path } } } } }',
    { id: gitRun.id },
  );
  expect(node).toMatchObject({ isDryRun: true, preview: { filesChanged: 2 } });
  expect(node.preview.changes).toContainEqual({ kind: 'FILE', change: 'CHANGED', path: 'README.md' });
  expect((await admin.get(`/v1/spaces/${spaceId}`)).body.revision).toBe(before);
  expect(await repository.files()).toEqual(FILES);
  expect(await connectionOf(admin, spaceId)).toMatchObject({ state: 'pending' });
});

test('one side wins at first, and what the other one had is kept', async () => {
  const { repository, spaceId } = await connected();
  await edit(admin, spaceId, [{ insertPage: { kind: 'DOCUMENT', title: 'Mine', document: { markdown: 'Text.' } } }]);
  const before = (await admin.get(`/v1/spaces/${spaceId}`)).body.revision;
  expect(await start(admin, spaceId)).toMatchObject({ state: 'active', keptRevision: before });
  const { space } = await admin.graphql(
    'query($id: ID!) { space(id: $id) { gitConnection { keptRevision { id } latestRuns { connection { state } } } } }',
    { id: spaceId },
  );
  expect(space.gitConnection).toEqual({
    keptRevision: { id: before },
    latestRuns: [{ connection: { state: 'ACTIVE' } }],
  });
  expect((await pagesIn(admin, spaceId)).map(({ path }) => path)).toEqual(['home', 'other']);

  const other = await connected({ initialSide: 'space' });
  const tip = await other.repository.tip();
  await edit(admin, other.spaceId, [
    { insertPage: { kind: 'DOCUMENT', title: 'Mine', document: { markdown: 'Text.' } } },
  ]);
  expect(await start(admin, other.spaceId)).toMatchObject({ state: 'active', keptCommit: tip });
  expect(await other.repository.files()).toMatchObject({ 'README.md': '# Mine\n\nText.\n' });
  expect((await other.repository.log()).map(({ oid }) => oid)).toContain(tip);
  expect(await repository.files()).toEqual(FILES);
});

test('a merged change request goes out as a commit by who merged it, with those who wrote it', async () => {
  const { repository, spaceId } = await started();
  const { body: changeRequest } = await editor.post(`/v1/spaces/${spaceId}/change-requests`, {
    subject: 'Better words',
  });
  const pageId = await pageAt(admin, spaceId, 'home');
  await editor.mutate(
    'updateChangeRequestContent',
    {
      changeRequestId: changeRequest.id,
      changes: [{ updatePage: { pageId, document: { markdown: 'First!\n\nSecond.' } } }],
    },
    'pageIds',
  );
  await admin.mutate(
    'updateChangeRequest',
    { changeRequestId: changeRequest.id, status: 'OPEN' },
    'changeRequest { id }',
  );
  await admin.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'result');
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  const [commit, ...older] = await repository.log();
  expect(older).toHaveLength(1);
  expect(commit).toMatchObject({
    message: `Better words (#${changeRequest.number})\n\nCo-authored-by: Editor <editor@acme.example>\n`,
    author: { name: 'Admin', email: 'admin@acme.example' },
  });
  expect(await repository.files()).toEqual({ ...FILES, 'README.md': '# Home\n\nFirst!\n\nSecond.\n' });
  const runs = (await admin.get(`/v1/spaces/${spaceId}/git/runs`)).body.count;
  await synchronize(admin, spaceId);
  expect((await admin.get(`/v1/spaces/${spaceId}/git/runs`)).body.count).toBe(runs);
});

test('a commit does not show the address of a writer whose membership is disabled', async () => {
  const { repository, spaceId } = await started();
  const pageId = await pageAt(admin, spaceId, 'home');
  await edit(editor, spaceId, [{ updatePage: { pageId, document: { markdown: 'Mine.' } } }]);
  const setDisabled = (isDisabled: boolean) =>
    app.services.db
      .updateTable('membership')
      .set({ isDisabled })
      .where('userId', '=', editor.userId)
      .where('organizationId', '=', organizationId)
      .execute();
  await setDisabled(true);
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  await setDisabled(false);
  const [commit] = await repository.log();
  expect(commit?.author.email).toMatch(/@stemma\.invalid$/);
});

test('commits come in, and both sides are merged', async () => {
  const { repository, spaceId } = await started();
  await repository.commit({ 'other.md': '# Other\n\nMore text.\n' });
  await synchronize(admin, spaceId);
  expect(await markdownAt(admin, spaceId, 'other')).toBe('More text.\n');
  await write(spaceId, 'home', 'First!\n\nSecond.');
  await repository.commit({ 'README.md': '# Home\n\nFirst.\n\nSecond?\n' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('First!\n\nSecond?\n');
  expect((await repository.files())['README.md']).toBe('# Home\n\nFirst!\n\nSecond?\n');
});

test('a commit changes the pages of its files, and files that nobody touched keep theirs with links, includes and files', async () => {
  const linking = '# Other\n\nSee [home](README.md).\n\n{% include "part.md" %}\n\n[File](file.txt)\n';
  const summary = '# Table of contents\n\n* [Home](README.md)\n* [Other](other.md)\n';
  const files = { 'SUMMARY.md': summary, 'other.md': linking, 'part.md': '# Part\n\nShared.\n', 'file.txt': 'bytes' };
  const { repository, spaceId } = await started();
  await repository.commit(files);
  await synchronize(admin, spaceId);
  const contentOf = async () => {
    const { body } = await admin.get(`/v1/spaces/${spaceId}/content`);
    return {
      files: body.files,
      contents: body.reusableContents.map(({ id, title }: Record<string, string>) => [id, title]),
    };
  };
  const [other, before] = [await markdownAt(admin, spaceId, 'other'), await contentOf()];
  await repository.commit({ 'README.md': '# Home again\n\nEdited.\n' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await markdownAt(admin, spaceId, 'home')).trimEnd()).toBe('Edited.');
  expect(await markdownAt(admin, spaceId, 'other')).toBe(other);
  expect(await contentOf()).toEqual(before);
  await repository.commit({
    'part.md': '# Part\n\nShared, and edited.\n',
    'SUMMARY.md': summary.replace('[Other]', '[Another]'),
  });
  await synchronize(admin, spaceId);
  await write(spaceId, 'home', 'From the space.');
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await repository.files()).toMatchObject({ 'other.md': linking, 'part.md': '# Part\n\nShared, and edited.\n' });
});

test('conflicts are a state, and settle with their change request', async () => {
  const { repository, spaceId } = await started();
  await write(spaceId, 'home', 'Space.\n\nSecond.');
  await repository.commit({ 'README.md': '# Home\n\nBranch.\n\nSecond.\n' });
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'conflicts',
    remedy: expect.stringContaining('Resolve'),
  });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/change-requests?status=open`);
  await admin.mutate(
    'updateChangeRequest',
    { changeRequestId: body.items[0].id, status: 'ARCHIVED' },
    'changeRequest { id }',
  );
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await repository.files())['README.md']).toBe('# Home\n\nSpace.\n\nSecond.\n');
});

/** Number of events for changes of the state of a connection. */
async function stateChanges(connectionId: string): Promise<number> {
  const events = await here.eventsBy('kind=git_connection_state_changed');
  return events.filter(({ ids }) => ids.gitConnectionId === connectionId).length;
}

test('a protected branch gets its commits by a branch of their own and a pull request', async () => {
  const { repository, spaceId, id } = await started({ apiUrl: api.url });
  const before = await stateChanges(id);
  const url = repository.url.replace('http://', 'http://ann:api-token@');
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { url, apiUrl: api.url });
  Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: 'refs/heads/main' });
  await write(spaceId, 'home', 'First!\n\nSecond.');
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'protected',
    proposalRef: 'refs/heads/stemma/main',
    pullRequestUrl: 'https://example.com/acme/docs/pull/7',
    remedy: expect.stringContaining('pull request'),
  });
  const asked = api.requests.filter(({ path }) => path.endsWith('/pulls'));
  expect(asked).toMatchObject([{ token: 'Bearer api-token', body: { head: 'stemma/main', base: 'main' } }]);
  expect(await repository.files()).toEqual(FILES);
  await write(spaceId, 'other', 'More.');
  await repository.commit({ 'new.md': '# New\n' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
  const proposed = await repository.files('stemma/main');
  expect(proposed).toMatchObject({
    'README.md': '# Home\n\nFirst!\n\nSecond.\n',
    'other.md': '# Other\n\nMore.\n',
    'new.md': '# New\n',
  });
  expect(api.requests.filter(({ path }) => path.endsWith('/pulls'))).toHaveLength(2);
  expect(await stateChanges(id)).toBe(before + 1);
  // The pull request is squashed.
  await repository.commit(proposed);
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await stateChanges(id)).toBe(before + 2);
  expect(await connectionOf(admin, spaceId)).not.toHaveProperty('pullRequestUrl');
  expect((await markdownAt(admin, spaceId, 'home')).trimEnd()).toBe('First!\n\nSecond.');
});

test('settled conflicts of a protected branch are proposed once', async () => {
  const { repository, spaceId } = await started({ apiUrl: api.url });
  await write(spaceId, 'home', 'Space.\n\nSecond.');
  await repository.commit({ 'README.md': '# Home\n\nBranch.\n\nSecond.\n' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'conflicts' });
  Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: 'refs/heads/main' });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/change-requests?status=open`);
  const archived = { changeRequestId: body.items[0].id, status: 'ARCHIVED' };
  await admin.mutate('updateChangeRequest', archived, 'changeRequest { id }');
  const runs = async () => (await admin.get(`/v1/spaces/${spaceId}/git/runs`)).body.count;
  const before = await runs();
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
  expect(await runs()).toBe(before + 1);
});

test('a protected branch keeps the states of two proposals, of which the last is merged', async () => {
  const { repository, spaceId } = await started({ apiUrl: api.url });
  Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: 'refs/heads/main' });
  for (const text of ['First edit.', 'Second edit.', 'Third edit.', 'Fourth edit.']) {
    await write(spaceId, 'home', text);
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
  }
  const proposals = await app.services.db
    .selectFrom('git_run')
    .where('spaceId', '=', spaceId)
    .where('pushing', 'is not', null)
    .select('commitOid')
    .execute();
  expect(proposals).toHaveLength(2);
  await repository.removeBranch('main');
  await repository.renameBranch('stemma/main', 'main');
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await repository.files())['README.md']).toBe('# Home\n\nFourth edit.\n');
});

test('a pull request of the service does not count as merged before it is', async () => {
  const made = await started({ apiUrl: api.url });
  const { repository, spaceId } = made;
  Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: 'refs/heads/main' });
  await write(spaceId, 'home', 'First!\n\nSecond.');
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
  const sha = (await repository.tip('stemma/main')) ?? '';
  repository.refs.set('refs/pull/7/head', sha);
  const payload = { action: 'opened', number: 7, pull_request: { head: { sha }, base: { ref: 'main' } } };
  expect(await githubHook(here.url, made, 'pull_request', payload)).toBe(202);
  expect(await settleGit(admin, spaceId)).toMatchObject({ status: 'completed', pullRequestNumber: 7 });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
  expect((await markdownAt(admin, spaceId, 'home')).trimEnd()).toBe('First!\n\nSecond.');
  await repository.commit({ 'other.md': '# Other\n\nMore.\n' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
  expect((await markdownAt(admin, spaceId, 'home')).trimEnd()).toBe('First!\n\nSecond.');
  expect(await markdownAt(admin, spaceId, 'other')).toBe('More.\n');
});

test('a branch that was deleted or renamed changes nothing, and says so', async () => {
  const { repository, spaceId, id } = await started();
  const before = await stateChanges(id);
  await repository.renameBranch('main', 'trunk');
  await write(spaceId, 'home', 'First!\n\nSecond.');
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'branch-missing',
    stateDetail: expect.stringContaining('"trunk"'),
    remedy: expect.stringContaining('ref'),
  });
  expect(await pagesIn(admin, spaceId)).toHaveLength(2);
  expect(await repository.tip()).toBeUndefined();
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/trunk' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await repository.files('trunk'))['README.md']).toBe('# Home\n\nFirst!\n\nSecond.\n');
  expect(await stateChanges(id)).toBe(before + 2);
});

test.each([
  ['paused', { paused: true }],
  ['given another branch', { ref: 'refs/heads/other' }],
])('a connection that is %s while its branches are listed starts no run for them', async (_, change) => {
  const { repository, spaceId } = await started();
  await repository.commit({ 'README.md': '# Home\n\nMore.\n' });
  const runs = async () => (await admin.get(`/v1/spaces/${spaceId}/git/runs`)).body.count;
  const before = await runs();
  repository.beforeListing = async () => {
    repository.beforeListing = undefined;
    expect((await admin.patch(`/v1/spaces/${spaceId}/git/connection`, change)).status).toBe(200);
  };
  await synchronize(admin, spaceId);
  expect([repository.beforeListing, await runs()]).toEqual([undefined, before]);
  expect(await markdownAt(admin, spaceId, 'home')).toBe('First.\n\nSecond.\n');
});

test('a run of a former branch does not change the state of the connection to another one', async () => {
  const { repository, spaceId } = await started();
  await repository.commit({ 'README.md': '# Home\n\nOther.\n' }, 'other');
  await repository.commit({ 'README.md': '# Home\n\nMore.\n' });
  await syncOnce(admin, spaceId);
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/other' });
  await repository.removeBranch('main');
  expect(await settleGit(admin, spaceId)).toMatchObject({ status: 'failed', ref: 'refs/heads/main' });
  expect(await connectionOf(admin, spaceId)).toMatchObject({ state: 'active' });
});

test('a space gets the content of another branch that its connection names, and nothing there is overwritten', async () => {
  const { repository, spaceId, id } = await started();
  const other = await repository.commit({ ...FILES, 'README.md': '# Home\n\nOther.\n' }, 'other');
  await write(spaceId, 'home', 'Edited in the space.');
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/other' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Other.\n');
  expect(await repository.tip('other')).toBe(other);
  const rewritten = await here.eventsBy('kind=git_connection_rewritten');
  expect(rewritten.map(({ ids }) => ids.gitConnectionId)).not.toContain(id);
});

test('edits of a space are merged with the commits that a branch got after it was renamed', async () => {
  const { repository, spaceId } = await started();
  await repository.renameBranch('main', 'trunk');
  await repository.commit({ 'other.md': '# Other\n\nMore.\n' }, 'trunk');
  await write(spaceId, 'home', 'Edited.');
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/trunk' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await repository.files('trunk')).toMatchObject({
    'README.md': '# Home\n\nEdited.\n',
    'other.md': '# Other\n\nMore.\n',
  });
  expect(await markdownAt(admin, spaceId, 'other')).toBe('More.\n');
});

test('a side that was chosen for another branch wins, also after a run that failed, and there only', async () => {
  const { repository, spaceId } = await started();
  const path = `/v1/spaces/${spaceId}/git/connection`;
  await repository.commit({ ...FILES, 'README.md': '# Home\n\nOf trunk.\n' }, 'trunk');
  await repository.commit({ ...FILES, 'README.md': '# Home\n\nOf third.\n' }, 'third');
  await write(spaceId, 'home', 'Edited.');
  await admin.patch(path, { ref: 'refs/heads/trunk', paused: true });
  repository.credentials = 'somebody:else';
  expect(await start(admin, spaceId, 'space')).toMatchObject({ state: 'unauthorized' });
  repository.credentials = undefined;
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await markdownAt(admin, spaceId, 'home')).trimEnd()).toBe('Edited.');
  expect((await repository.files('trunk'))['README.md']).toBe('# Home\n\nEdited.\n');
  expect((await admin.patch(path, { ref: 'refs/heads/third' })).body).toMatchObject({ initialSide: 'branch' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Of third.\n');
});

test('a side that was chosen before the first synchronization is kept when the branch is corrected', async () => {
  const { repository, spaceId } = await connected({ initialSide: 'space' });
  await edit(admin, spaceId, [{ insertPage: { kind: 'DOCUMENT', title: 'Mine', document: { markdown: 'Text.' } } }]);
  await repository.commit(FILES, 'trunk');
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/trunk' });
  expect(await start(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await repository.files('trunk')).toMatchObject({ 'README.md': '# Mine\n\nText.\n' });
});

/** Merges what was proposed to a branch, as a pull request does. */
async function mergeProposal(repository: GitRepository, branch: string): Promise<void> {
  await repository.removeBranch(branch);
  await repository.renameBranch(`stemma/${branch}`, branch);
}

test.each([
  ['at first', 'main'],
  ['on another branch', 'trunk'],
])('a space that wins %s over a protected branch is proposed once, until that is merged', async (_, branch) => {
  const { repository, spaceId } = branch === 'main' ? await connected() : await started();
  await repository.commit({ ...FILES, 'README.md': '# Home\n\nOf the branch.\n' }, branch);
  const ref = `refs/heads/${branch}`;
  const path = `/v1/spaces/${spaceId}/git/connection`;
  await admin.patch(path, { ref, paused: true });
  Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: ref });
  const page = { kind: 'DOCUMENT', title: 'Mine', document: { markdown: 'Text.' } };
  await edit(admin, spaceId, [{ insertPage: page }]);
  const [tip, { revision }] = [await repository.tip(branch), (await admin.get(`/v1/spaces/${spaceId}`)).body];
  const isProposed = { state: 'protected', proposalRef: `refs/heads/stemma/${branch}`, keptCommit: tip };
  expect(await start(admin, spaceId, 'space')).toMatchObject(isProposed);
  const proposed = await repository.tip(`stemma/${branch}`);
  const runs = async () => (await admin.get(`/v1/spaces/${spaceId}/git/runs`)).body.count;
  const before = await runs();
  expect(await synchronize(admin, spaceId)).toMatchObject(isProposed);
  expect([await runs(), await repository.tip(`stemma/${branch}`)]).toEqual([before, proposed]);
  expect((await admin.get(`/v1/spaces/${spaceId}`)).body.revision).toBe(revision);
  await edit(admin, spaceId, [{ insertPage: { ...page, title: 'More' } }]);
  expect(await synchronize(admin, spaceId)).toMatchObject(isProposed);
  const files = await repository.files(`stemma/${branch}`);
  expect(Object.values(files)).toContain('# More\n\nText.\n');
  // The pull request is merged.
  await mergeProposal(repository, branch);
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await repository.files(branch)).toEqual(files);
});

test('a space that wins over a replaced history of a protected branch waits until that is merged', async () => {
  const { repository, spaceId } = await started();
  await repository.rewrite({ 'else.md': '# Something else\n\nOf another project entirely.\n' });
  Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: 'refs/heads/main' });
  expect(await start(admin, spaceId, 'space')).toMatchObject({ state: 'protected' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
  await mergeProposal(repository, 'main');
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await repository.files()).toMatchObject({ 'README.md': FILES['README.md'] });
});

/** A space whose edit is proposed to `main`, while it has the content of `dev`, and the proposal is merged. */
async function movedToDev() {
  const made = await started();
  const { repository, spaceId } = made;
  Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: 'refs/heads/main' });
  await write(spaceId, 'home', 'Proposed.');
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
  await repository.commit({ ...FILES, 'README.md': '# Home\n\nOf dev.\n' }, 'dev');
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/dev' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Of dev.\n');
  await mergeProposal(repository, 'main');
  return made;
}

test('a branch is synchronized anew when its connection returns to it, whatever was proposed there before', async () => {
  const { repository, spaceId } = await movedToDev();
  const tip = await repository.tip();
  repository.refusal = undefined;
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/main' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Proposed.\n');
  expect(await repository.tip()).toBe(tip);
});

test('a standalone import does not change what a space was synchronized with', async () => {
  const { repository, spaceId } = await started();
  Object.assign(repository, { refusal: 'protected branch hook declined', protectedRef: 'refs/heads/main' });
  await write(spaceId, 'home', 'Proposed.');
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
  await mergeProposal(repository, 'main');
  const syncedCommit = async () =>
    (await admin.graphql('query($id: ID!) { space(id: $id) { gitSync { commit } } }', { id: spaceId })).space.gitSync
      .commit;
  const before = await syncedCommit();
  expect(before).not.toBe(await repository.tip());
  await sync(creator, spaceId, 'import', { url: repository.url, standalone: true });
  expect(await syncedCommit()).toBe(before);
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await syncedCommit()).toBe(await repository.tip());
});

test('a renamed branch whose history the server does not send replaces no edits, and is merged once it does', async () => {
  const { repository, spaceId } = await started();
  await repository.renameBranch('main', 'trunk');
  for (const text of ['More', 'Most']) await repository.commit({ 'other.md': `# Other\n\n${text}.\n` }, 'trunk');
  await write(spaceId, 'home', 'Edited.');
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/trunk' });
  const before = repository.requests.length;
  repository.beforeListing = async () => {
    const isFetched = repository.requests.slice(before).some((request) => request.startsWith('POST'));
    if (isFetched) repository.credentials = 'somebody:else';
  };
  await syncOnce(admin, spaceId);
  expect(await settleGit(admin, spaceId)).toMatchObject({ status: 'failed' });
  expect(await connectionOf(admin, spaceId)).toMatchObject({ state: 'unrelated-history' });
  Object.assign(repository, { beforeListing: undefined, credentials: undefined });
  expect((await markdownAt(admin, spaceId, 'home')).trimEnd()).toBe('Edited.');
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect(await repository.files('trunk')).toMatchObject({
    'README.md': '# Home\n\nEdited.\n',
    'other.md': '# Other\n\nMost.\n',
  });
});

test('a new branch of a connection is not overwritten by an export before it was synchronized, except by force', async () => {
  const { repository, spaceId } = await started();
  await repository.commit({ ...FILES, 'README.md': '# Home\n\nOther.\n' }, 'other');
  const ref = 'refs/heads/other';
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref });
  const git = `/v1/spaces/${spaceId}/git`;
  const run = { url: repository.url, ref, commitMessage: 'Edit' };
  expect((await admin.post(`${git}/export`, run)).status).toBe(409);
  expect((await admin.post(`${git}/import`, run)).status).toBe(409);
  expect((await admin.post(`${git}/import`, { ...run, standalone: true })).status).toBe(204);
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  await write(spaceId, 'home', 'Edited.');
  expect((await admin.post(`${git}/export`, run)).status).toBe(204);
  await settleGit(admin, spaceId);
  expect((await repository.files('other'))['README.md']).toBe('# Home\n\nEdited.\n');
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/main' });
  expect((await admin.post(`${git}/export`, { ...run, ref: 'refs/heads/main', force: true })).status).toBe(204);
  await settleGit(admin, spaceId);
  expect((await repository.files())['README.md']).toBe('# Home\n\nEdited.\n');
});

test('another directory is synchronized at once, although its branch has not moved', async () => {
  const { repository, spaceId } = await connected();
  await repository.commit({ 'docs/README.md': '# Of the directory\n\nText.\n' });
  await start(admin, spaceId);
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { repoProjectDirectory: 'docs' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await pagesIn(admin, spaceId)).map(({ title }) => title)).toEqual(['Of the directory']);
});

test('a rewritten history is merged, with an event, and what it took away stays in the history of the space', async () => {
  const { repository, spaceId, id } = await started();
  for (const text of ['One', 'Two', 'Three']) await repository.commit({ 'other.md': `# Other\n\n${text}.\n` });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await here.eventsBy('kind=git_connection_rewritten')).map(({ ids }) => ids.gitConnectionId)).not.toContain(
    id,
  );
  const before = (await admin.get(`/v1/spaces/${spaceId}`)).body.revision;
  await repository.rewrite({ ...FILES, 'README.md': '# Home\n\nRewritten.\n' });
  await repository.commit({ 'more.md': '# More\n' });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  expect((await here.eventsBy('kind=git_connection_rewritten')).map(({ ids }) => ids.gitConnectionId)).toContain(id);
  expect(await markdownAt(admin, spaceId, 'home')).toBe('Rewritten.\n');
  const { body } = await admin.get(`/v1/spaces/${spaceId}/revisions/${before}/path/other?format=markdown`);
  expect(withoutTitle(body.markdown)).toBe('Three.\n');
});

test('an unrelated history empties no space, and waits for a decision', async () => {
  const { repository, spaceId, id } = await started();
  const before = await stateChanges(id);
  await repository.rewrite({ 'else.md': '# Something else\n\nOf another project entirely.\n' });
  for (let again = 0; again < 2; again++) {
    expect(await synchronize(admin, spaceId)).toMatchObject({
      state: 'unrelated-history',
      remedy: expect.stringContaining('startGitConnection'),
    });
  }
  expect(await pagesIn(admin, spaceId)).toHaveLength(2);
  expect(await stateChanges(id)).toBe(before + 1);
  expect(await start(admin, spaceId, 'space')).toMatchObject({ state: 'active' });
  expect(await repository.files()).toMatchObject({ 'README.md': FILES['README.md'] });
});

test('an emptied repository, a moved directory, a branch without pages and refused credentials are states with an event, and end by themselves', async () => {
  const { repository, spaceId, id: connectionId } = await started();
  const ids = (await pagesIn(admin, spaceId)).map(({ id }) => id);
  const before = await stateChanges(connectionId);
  const states: string[] = [];
  const becomes = async (state: string) => {
    const connection = await synchronize(admin, spaceId);
    expect(connection).toMatchObject({ state, ...(state !== 'active' && { remedy: expect.any(String) }) });
    states.push(state);
  };
  repository.credentials = 'somebody:else';
  await becomes('unauthorized');
  repository.credentials = undefined;
  await repository.rewrite({ 'main.c': 'int main;', ...FILES });
  await becomes('active');
  await repository.commit({ 'README.md': null, 'SUMMARY.md': null, 'other.md': null });
  await becomes('no-content');
  await repository.commit(FILES);
  await becomes('active');
  await repository.removeBranch('main');
  await becomes('repository-empty');
  await repository.commit(Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`docs/${path}`, text])));
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { repoProjectDirectory: 'missing' });
  await becomes('directory-missing');
  await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { repoProjectDirectory: 'docs' });
  await becomes('active');
  expect((await pagesIn(admin, spaceId)).map(({ id }) => id)).toEqual(ids);
  const changed = states.filter((state, index) => state !== states[index - 1]);
  expect(await stateChanges(connectionId)).toBe(before + changed.length);
});

test('a connected space is not synchronized with another branch or directory, nor forgotten, nor transferred', async () => {
  const { spaceId, repository } = await started();
  const git = `/v1/spaces/${spaceId}/git`;
  expect((await admin.post(`${git}/import`, { url: repository.url, ref: 'refs/heads/other' })).status).toBe(409);
  const others = { url: repository.url, ref: 'refs/heads/main', repoProjectDirectory: 'docs' };
  expect((await admin.post(`${git}/import`, others)).status).toBe(409);
  expect((await admin.post(`${git}/export`, { ...others, commitMessage: 'Edit' })).status).toBe(409);
  expect((await admin.post(`${git}/import`, { ...others, standalone: true })).status).toBe(204);
  expect((await admin.delete(`${git}/legacy-installation`)).status).toBe(409);
  expect((await admin.post(`${git}/import`, { url: repository.url, ref: 'refs/heads/main' })).status).toBe(204);
});

test('the checks of a connection say what works and what does not', async () => {
  const { spaceId, repository } = await started();
  const path = `/v1/spaces/${spaceId}/git/connection/check`;
  const outcomes = async () =>
    Object.fromEntries(
      (await creator.post(path)).body.checks.map(({ name, outcome }: Record<string, string>) => [name, outcome]),
    );
  expect(await outcomes()).toEqual({ address: 'ok', rights: 'ok', branch: 'ok', layout: 'ok', hook: 'warning' });
  await repository.removeBranch('main');
  await repository.commit({ 'a.md': '# A\n' }, 'side');
  expect(await outcomes()).toMatchObject({ branch: 'error', layout: 'skipped' });
  repository.credentials = 'a:b';
  const { checks } = await admin.mutate('checkGitConnection', { spaceId }, 'checks { name outcome message }');
  expect(checks[0]).toMatchObject({ name: 'ADDRESS', outcome: 'ERROR', message: expect.stringContaining('401') });
  expect((await reader.post(path)).status).toBe(403);
});
