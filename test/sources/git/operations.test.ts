import { expect, test } from 'vitest';
import { branchOf } from '../../../src/domain/sources/git/record-sync-request.ts';
import { runGit } from '../../../src/domain/sources/git/runs/run-git.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { siteWith } from '../../publishing/arrange.ts';
import { world } from '../../world.ts';
import { edit, gitServer, newSpace, pageAt, pagesIn, settleGit, sync } from './arrange.ts';

const { admin, creator, editor, reader, outsider, anonymous, organizationId, app } = await world({
  ALLOW_PRIVATE_NETWORK: '1',
});
const server = await gitServer();

const REF = 'refs/heads/main';
let names = 0;
async function repository(
  files: Record<string, string> = { 'README.md': '# Home\n', 'SUMMARY.md': '* [Home](README.md)\n' },
) {
  const made = await server.repository(`operations-${names++}`);
  await made.commit(files);
  return made;
}

test('operates over GraphQL, and is read back over both', async () => {
  const { url } = await repository();
  const spaceId = await newSpace(admin, organizationId);
  const { gitRun } = await creator.mutate(
    'importSpaceFromGit',
    { spaceId, url, ref: REF, gitInfo: { provider: 'GITLAB', url: 'https://gitlab.example/acme/docs' } },
    'gitRun { id status direction url ref }',
  );
  expect(gitRun).toMatchObject({ status: 'PENDING', direction: 'IMPORT', url, ref: REF });
  await settleGit(admin, spaceId);
  const { space } = await creator.graphql(
    `query($id: ID!) { space(id: $id) {
      gitSync { repoName installationProvider url ref commit operation { state direction error } }
      gitRuns { nodes { id status pagesRead log { message } report { message } revision { id git { oid } } changeRequest { id } } } } }`,
    { id: spaceId },
  );
  expect(space.gitSync).toMatchObject({
    installationProvider: 'GITLAB',
    url: 'https://gitlab.example/acme/docs',
    operation: { state: 'SUCCESS', direction: 'IMPORT', error: null },
  });
  expect(space.gitRuns.nodes).toMatchObject([
    { id: gitRun.id, status: 'COMPLETED', changeRequest: null, pagesRead: (await pagesIn(admin, spaceId)).length },
  ]);
  expect(space.gitRuns.nodes[0].log.length).toBeGreaterThan(1);
  const seen = await reader.graphql('query($id: ID!) { space(id: $id) { gitSync { url } gitRuns { nodes { id } } } }', {
    id: spaceId,
  });
  expect(seen.space).toEqual({ gitSync: { url: null }, gitRuns: { nodes: [] } });
  expect((await reader.get(`/v1/spaces/${spaceId}/git/runs`)).status).toBe(403);
  const { body } = await reader.get(`/v1/spaces/${spaceId}`);
  expect(body.gitSync).toMatchObject({ installationProvider: 'gitlab', integration: 'gitlab' });
  expect((await reader.get(`/v1/spaces/${spaceId}/git/info`)).body).not.toHaveProperty('url');
  const { body: info } = await creator.get(`/v1/spaces/${spaceId}/git/info`);
  expect(info).toMatchObject({ url: 'https://gitlab.example/acme/docs' });
  const { nodes } = await admin
    .graphql('query($id: ID!) { node(id: $id) { ... on GitRun { status space { id } } } }', { id: gitRun.id })
    .then(({ node }) => ({ nodes: node }));
  expect(nodes).toEqual({ status: 'COMPLETED', space: { id: spaceId } });
});

test('readers of a public site see no commits, which name the branch and the reasons of changes', async () => {
  const docs = await repository();
  const spaceId = await newSpace(admin, organizationId);
  await sync(admin, spaceId, 'import', { url: docs.url });
  const site = await siteWith(admin, organizationId, { title: 'Open', visibility: 'public', spaces: [spaceId] });
  expect((await admin.post(`${site.path}/publish`)).status).toBeLessThan(300);
  const document = `query ($id: ID!) { space(id: $id) { revision { git { oid message ref } pages { title git { path } } } } }`;
  const seenBy = async (client: typeof admin) => {
    const { body } = await client.get(`/v1/spaces/${spaceId}/content`);
    const { revision } = (await client.graphql(document, { id: spaceId })).space;
    expect([body.pages[0].title, revision.pages[0].title]).toEqual(['Home', 'Home']);
    return [body.git?.oid, body.pages[0].git?.path, revision.git?.oid, revision.pages[0].git?.path];
  };
  const oid = await docs.tip();
  expect(await seenBy(reader)).toEqual([oid, 'README.md', oid, 'README.md']);
  expect(await seenBy(anonymous)).toEqual([undefined, undefined, undefined, undefined]);
});

test('is denied to weaker roles and outsiders', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const body = { url: 'https://example.com/a/b.git', ref: REF, commitMessage: 'x' };
  for (const [caller, status] of [
    [editor, 403],
    [reader, 403],
    [outsider, 404],
    [anonymous, 401],
  ] as const) {
    expect((await caller.post(`/v1/spaces/${spaceId}/git/import`, { url: body.url, ref: REF })).status).toBe(status);
    expect((await caller.post(`/v1/spaces/${spaceId}/git/export`, body)).status).toBe(status);
    const removed = await caller.delete(`/v1/spaces/${spaceId}/git/legacy-installation`);
    expect(removed.status).toBe(status === 404 ? 204 : status);
  }
  expect((await outsider.get(`/v1/spaces/${spaceId}/git/runs`)).status).toBe(404);
  expect((await outsider.get(`/v1/spaces/${spaceId}/git/info`)).status).toBe(404);
  expect((await reader.get(`/v1/spaces/${spaceId}/git/info`)).status).toBe(404);
});

test.each([
  [{ url: 'ext::sh -c touch% /tmp/x' }, 'url'],
  [{ url: 'file:///etc' }, 'url'],
  [{ url: '/srv/repository' }, 'url'],
  [{ url: 'ssh://git@example.com/a.git' }, 'url'],
  [{ ref: 'main' }, 'ref'],
  [{ ref: 'refs/heads/../x' }, 'ref'],
  [{ ref: 'refs/heads/--upload-pack=x' }, 'ref'],
  [{ ref: 'refs/heads/a b' }, 'ref'],
  [{ ref: 'refs/heads/a.lock' }, 'ref'],
  [{ repoProjectDirectory: '../x' }, 'repoProjectDirectory'],
  [{ repoProjectDirectory: 'a/.git/b' }, 'repoProjectDirectory'],
  [{ repoTreeURL: 'javascript:alert(1)' }, 'repoTreeURL'],
  [{ timestamp: 'yesterday' }, 'timestamp'],
  [{ timestamp: '9999-12-31T23:59:59-01:00' }, 'timestamp'],
  [{ gitInfo: { provider: 'bitbucket' } }, 'gitInfo.provider'],
  [{ gitInfo: { url: 'https://me:secret@example.com' } }, 'gitInfo.url'],
])('rejects %j', async (wrong, path) => {
  const spaceId = await newSpace(admin, organizationId);
  const answer = await admin.post(`/v1/spaces/${spaceId}/git/import`, {
    url: 'https://example.com/a.git',
    ref: REF,
    ...wrong,
  });
  expect(answer.status).toBe(400);
  expect(answer.body.error.issues[0].path.join('.')).toBe(path);
  expect(JSON.stringify(answer.body)).not.toContain('secret');
});

test('sends credentials, and stores and shows none of them', async () => {
  const docs = await repository();
  docs.credentials = 'ann:s3cr%t';
  const spaceId = await newSpace(admin, organizationId);
  const url = docs.url.replace('http://', 'http://ann:s3cr%25t@');
  await admin.post(`/v1/spaces/${spaceId}/git/import`, { url, ref: REF });
  const [row] = await app.services.db.selectFrom('git_run').where('spaceId', '=', spaceId).selectAll().execute();
  expect(row?.credentials).not.toBeNull();
  expect(JSON.stringify(row)).not.toContain('s3cr');
  expect(row?.repositoryUrl).toBe(docs.url);
  expect(await settleGit(admin, spaceId)).toMatchObject({ status: 'completed', url: docs.url });
  const [after] = await app.services.db.selectFrom('git_run').where('spaceId', '=', spaceId).selectAll().execute();
  expect(after?.credentials).toBeNull();
  const wrong = await admin.post(`/v1/spaces/${spaceId}/git/import`, { url: docs.url, ref: REF });
  expect(wrong).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('401') } } });
});

test('fails with a reason for what cannot be read, and changes nothing', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const docs = await repository();
  const reasonOf = async (body: object) => (await sync(admin, spaceId, 'import', body)).reason;
  expect(await reasonOf({ url: docs.url, repoProjectDirectory: 'absent' })).toContain('no directory "absent"');
  expect(await pagesIn(admin, spaceId)).toEqual([]);
  docs.refusal = 'protected branch hook declined';
  await edit(admin, spaceId, [{ insertPage: { title: 'Page' } }]);
  const run = await sync(admin, spaceId, 'export', { url: docs.url });
  expect(run).toMatchObject({ status: 'failed', reason: expect.stringContaining('protected branch hook declined') });
});

test('a repository or branch that is known to be missing is refused at once, in both directions', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const docs = await repository();
  const refusal = async (body: object, direction = 'import') => {
    const given = { url: docs.url, ref: REF, commitMessage: 'Update', ...body };
    const answer = await creator.post(`/v1/spaces/${spaceId}/git/${direction}`, given);
    return [answer.status, answer.body?.error?.message];
  };
  const absent = { url: docs.url.replace('operations', 'absent') };
  const message = (text: string) => [400, expect.stringContaining(text)];
  expect(await refusal(absent)).toEqual(message('url: cannot be read: The server has no such repository'));
  expect(await refusal(absent, 'export')).toEqual(message('no such repository'));
  expect(await refusal({ ref: 'refs/heads/absent' })).toEqual(
    message('ref: cannot be read: The repository has no branch'),
  );
  expect(await refusal({ url: (await server.repository('nothing')).url })).toEqual(message('no commit'));
  docs.credentials = 'ann:token';
  expect(await refusal({})).toEqual(message('401'));
  expect(await refusal({}, 'export')).toEqual(message('401'));
  docs.credentials = undefined;
  expect((await creator.get(`/v1/spaces/${spaceId}/git/runs`)).body.items).toEqual([]);
  await expect(
    creator.mutate('importSpaceFromGit', { spaceId, url: docs.url, ref: 'refs/heads/absent' }, 'gitRun { id }'),
  ).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  const editing = await editor.post(`/v1/spaces/${spaceId}/git/import`, { ...absent, ref: REF });
  expect(editing.status).toBe(403);
  // The first export makes the branch.
  expect(await refusal({ ref: 'refs/heads/absent' }, 'export')).toEqual([204, undefined]);
});

test('the synchronization shows the first import from its request on, and why it failed', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const docs = await repository();
  const infoOf = async (client = creator) => (await client.get(`/v1/spaces/${spaceId}/git/info`)).body;
  expect((await creator.get(`/v1/spaces/${spaceId}/git/info`)).status).toBe(404);
  const given = { url: docs.url, ref: REF, repoProjectDirectory: 'absent' };
  await creator.post(`/v1/spaces/${spaceId}/git/import`, given);
  const name = docs.url.slice(docs.url.lastIndexOf('/') + 1).replace(/\.git$/, '');
  expect(await infoOf()).toMatchObject({
    repoName: name,
    installationStatus: 'pending',
    operation: { state: 'running', direction: 'import' },
  });
  await settleGit(admin, spaceId);
  const failed = { state: 'failure', direction: 'import', error: expect.stringContaining('no directory "absent"') };
  expect(await infoOf()).toMatchObject({ url: docs.url, installationStatus: 'pending', operation: failed });
  expect((await creator.get(`/v1/spaces/${spaceId}`)).body.gitSync).toMatchObject({ operation: failed });
  const seen = await infoOf(reader);
  expect(seen.operation.state).toBe('failure');
  expect([seen.url, seen.operation.error]).toEqual([undefined, undefined]);
  const { space } = await creator.graphql(
    'query($id: ID!) { space(id: $id) { gitSync { commit ref installationProvider operation { state error } } } }',
    { id: spaceId },
  );
  expect(space.gitSync).toEqual({
    commit: null,
    ref: REF,
    installationProvider: null,
    operation: { state: 'FAILURE', error: expect.stringContaining('no directory') },
  });
  const events = await app.services.db.selectFrom('event').where('spaceId', '=', spaceId).select('kind').execute();
  expect(events.map(({ kind }) => kind)).toContain('space_gitsync_failed');
  expect(await sync(admin, spaceId, 'import', { url: docs.url })).toMatchObject({ status: 'completed' });
  expect(await infoOf()).toMatchObject({ installationStatus: 'active', operation: { state: 'success' } });
});

test('a space whose first import failed can be transferred, and is shown with it until that is removed', async () => {
  const { body: made } = await admin.post('/v1/orgs', { title: 'Elsewhere' });
  const spaceId = await newSpace(admin, organizationId);
  const docs = await repository();
  await sync(admin, spaceId, 'import', { url: docs.url, repoProjectDirectory: 'absent' });
  expect((await admin.post(`/v1/spaces/${spaceId}/transfer`, { organization: made.id })).status).toBe(200);
  expect((await admin.get(`/v1/spaces/${spaceId}/git/info`)).body.operation.state).toBe('failure');
  expect((await admin.delete(`/v1/spaces/${spaceId}/git/legacy-installation`)).status).toBe(205);
  expect((await admin.get(`/v1/spaces/${spaceId}/git/info`)).status).toBe(404);
});

test.each<[url: string, given: 'github' | null, provider: string | null]>([
  ['https://github.com/acme/docs.git', null, 'github'],
  ['https://github.acme.example/acme/docs.git', null, 'github'],
  ['https://acme.ghe.com/acme/docs.git', null, 'github'],
  ['https://gitlab.acme.example/acme/docs.git', null, 'gitlab'],
  ['https://code.acme.example/acme/docs.git', null, null],
  ['https://not-github.example/acme/docs.git', null, null],
  ['https://code.acme.example/acme/docs.git', 'github', 'github'],
])('the provider of %s, where the request names %s, is %s', (repositoryUrl, provider, expected) => {
  const run = { repositoryUrl, provider, connectionId: null, infoUrl: null, ref: REF, projectDirectory: '' };
  expect(branchOf({ ...run, treeUrl: null, operationAt: '' }).provider).toBe(expected);
});

test('leaves out symbolic links and submodules, keeps pointers of LFS, and reports them', async () => {
  const docs = await repository({
    'README.md': '# Home\n\n![](a.png)\n',
    'a.png': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
  });
  await docs.commitEntry('link.md', { mode: '120000', content: '/etc/passwd' });
  await docs.commitEntry('module', { mode: '160000', content: '1'.repeat(40) });
  const spaceId = await newSpace(admin, organizationId);
  const run = await sync(admin, spaceId, 'import', { url: docs.url });
  expect(run.report.map(({ file, outcome }: { file: string; outcome: string }) => [file, outcome])).toEqual(
    expect.arrayContaining([
      ['link.md', 'dropped'],
      ['module', 'dropped'],
      ['a.png', 'kept'],
    ]),
  );
  expect(await pagesIn(admin, spaceId)).toHaveLength(1);
});

test('refuses trees that contain each other repeatedly', async () => {
  const docs = await repository();
  await docs.commitTreeBomb({ depth: 20, width: 1_000 });
  const spaceId = await newSpace(admin, organizationId);
  expect(await sync(admin, spaceId, 'import', { url: docs.url })).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('more than 100000 files and directories'),
  });
});

test('stores the message of a commit as far as it can be stored', async () => {
  const docs = await repository();
  await docs.commit({ 'README.md': '# Home\n' }, 'main', `A\0B${'x'.repeat(20_000)}`);
  const spaceId = await newSpace(admin, organizationId);
  const run = await sync(admin, spaceId, 'import', { url: docs.url });
  expect(run).toMatchObject({ status: 'completed' });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/revisions/${run.revision}`);
  expect(body.git.message).toBe(`AB${'x'.repeat(9_998)}`);
});

test('a standalone import leaves the primary content alone', async () => {
  const docs = await repository();
  const spaceId = await newSpace(admin, organizationId);
  await sync(admin, spaceId, 'import', { url: docs.url });
  const before = (await admin.get(`/v1/spaces/${spaceId}`)).body.revision;
  await docs.commit({ 'README.md': '# Proposed\n' }, 'proposal');
  const run = await sync(admin, spaceId, 'import', { url: docs.url, ref: 'refs/heads/proposal', standalone: true });
  expect(run.status).toBe('completed');
  expect((await admin.get(`/v1/spaces/${spaceId}`)).body.revision).toBe(before);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/revisions/${run.revision}/pages`);
  expect(body.pages.map(({ title }: { title: string }) => title)).toEqual(['Proposed']);
  const { space } = await admin.graphql('query($id: ID!) { space(id: $id) { revisions { nodes { id } } } }', {
    id: spaceId,
  });
  expect(space.revisions.nodes.map(({ id }: { id: string }) => id)).not.toContain(run.revision);
  expect((await admin.get(`/v1/spaces/${spaceId}/git/info`)).body.operation.direction).toBe('import');
});

test('does the operations of a space in the order of their timestamps, and skips late ones', async () => {
  const docs = await repository();
  const spaceId = await newSpace(admin, organizationId);
  const at = (minute: number) => `2026-01-01T00:0${minute}:00Z`;
  await admin.post(`/v1/spaces/${spaceId}/git/import`, { url: docs.url, ref: REF, timestamp: at(3) });
  await admin.post(`/v1/spaces/${spaceId}/git/import`, { url: docs.url, ref: REF, timestamp: at(2) });
  await settleGit(admin, spaceId);
  const { body } = await admin.get(`/v1/spaces/${spaceId}/git/runs`);
  expect(body.items.map(({ status }: { status: string }) => status)).toEqual(['completed', 'completed']);
  expect(Date.parse(body.items[0].completedAt)).toBeLessThanOrEqual(Date.parse(body.items[1].completedAt));
  expect(await sync(admin, spaceId, 'import', { url: docs.url, timestamp: at(1) })).toMatchObject({
    status: 'skipped',
  });
  expect(await sync(admin, spaceId, 'import', { url: docs.url, timestamp: at(1), force: true })).toMatchObject({
    status: 'completed',
  });
});

test('a run that waits for another one of its space is attempted once, although it has several jobs', async () => {
  const docs = await repository();
  const spaceId = await newSpace(admin, organizationId);
  await sync(admin, spaceId, 'import', { url: docs.url });
  const started = async () => {
    const given = { url: docs.url, ref: REF, commitMessage: 'Update' };
    await admin.post(`/v1/spaces/${spaceId}/git/export`, given);
    return (await admin.get(`/v1/spaces/${spaceId}/git/runs`)).body.items[0].id as string;
  };
  const attempt = { signal: new AbortController().signal, retries: 0 };
  const work = (gitRunId: string) => runGit.run(jobContext(app.services, 'test'), { gitRunId }, attempt);
  const [first, second] = [await started(), await started()];
  for (const gitRunId of [first, second]) {
    await edit(admin, spaceId, [{ insertPage: { title: 'New', document: { markdown: 'Text.' } } }]);
    docs.beforePush = async () => {
      docs.beforePush = undefined;
      await work(second);
    };
    await work(gitRunId);
    expect(docs.beforePush).toBeUndefined();
  }
  const runs = app.services.db.selectFrom('git_run').where('id', 'in', [first, second]);
  expect(await runs.select(['attempt', 'status']).execute()).toEqual([
    { attempt: 1, status: 'completed' },
    { attempt: 1, status: 'completed' },
  ]);
});

test('can be cancelled until it has ended', async () => {
  const docs = await repository();
  const spaceId = await newSpace(admin, organizationId);
  await admin.post(`/v1/spaces/${spaceId}/git/import`, { url: docs.url, ref: REF });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/git/runs`);
  const path = `/v1/spaces/${spaceId}/git/runs/${body.items[0].id}`;
  expect((await editor.post(`${path}/cancel`)).status).toBe(404);
  expect((await outsider.post(`${path}/cancel`)).status).toBe(404);
  expect((await creator.post(`${path}/cancel`)).body).toMatchObject({ status: 'cancelled' });
  expect((await creator.post(`${path}/cancel`)).body).toMatchObject({ status: 'cancelled' });
  await settleGit(admin, spaceId);
  expect(await pagesIn(admin, spaceId)).toEqual([]);
  const done = await sync(admin, spaceId, 'import', { url: docs.url });
  await expect(creator.mutate('cancelGitRun', { gitRunId: done.id }, 'gitRun { status }')).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
});

test('works on locked spaces, and records events', async () => {
  const docs = await repository();
  const spaceId = await newSpace(admin, organizationId);
  await admin.patch(`/v1/spaces/${spaceId}`, { editMode: 'locked' });
  expect(await sync(admin, spaceId, 'import', { url: docs.url })).toMatchObject({ status: 'completed' });
  const rows = await app.services.db
    .selectFrom('event')
    .where('spaceId', '=', spaceId)
    .select(['kind', 'ids'])
    .execute();
  const kinds = rows.map(({ kind }) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['space_gitsync_requested', 'space_gitsync_started', 'space_gitsync_completed']),
  );
  const completed = rows.find(({ kind }) => kind === 'space_gitsync_completed');
  expect(completed?.ids).toMatchObject({ commitId: await docs.tip(), revisionId: expect.any(String) });
});

test('a synchronization is not removed while an operation is pending', async () => {
  const docs = await repository();
  const spaceId = await newSpace(admin, organizationId);
  await creator.post(`/v1/spaces/${spaceId}/git/import`, { url: docs.url, ref: REF });
  const removed = await admin.delete(`/v1/spaces/${spaceId}/git/legacy-installation`);
  expect([removed.status, removed.body.error.message]).toEqual([409, expect.stringContaining('pending Git operation')]);
  expect(await settleGit(admin, spaceId)).toMatchObject({ status: 'completed' });
  expect((await admin.delete(`/v1/spaces/${spaceId}/git/legacy-installation`)).status).toBe(205);
});

test('removing the synchronization keeps the content, and the next one starts from the beginning', async () => {
  const docs = await repository();
  const spaceId = await newSpace(admin, organizationId);
  await sync(admin, spaceId, 'import', { url: docs.url });
  const moved = await admin.post(`/v1/spaces/${spaceId}/transfer`, { organization: organizationId });
  expect(moved.status).toBe(409);
  expect((await admin.delete(`/v1/spaces/${spaceId}/git/legacy-installation`)).status).toBe(205);
  expect((await admin.delete(`/v1/spaces/${spaceId}/git/legacy-installation`)).status).toBe(204);
  expect((await admin.get(`/v1/spaces/${spaceId}/git/info`)).status).toBe(404);
  expect(await pagesIn(admin, spaceId)).toHaveLength(1);
  expect(await sync(admin, spaceId, 'export', { url: docs.url })).toMatchObject({ filesChanged: 0 });
});

test('an address for SSH is refused with the name of the setting that it requires', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const body = { url: 'git@example.com:acme/docs.git', ref: REF };
  for (const path of ['connection', 'import']) {
    const refused = await admin.post(`/v1/spaces/${spaceId}/git/${path}`, body);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('GIT_PROGRAM') } },
    });
  }
});

test('refuses private addresses unless they are allowed', async () => {
  const closed = await world();
  const docs = await repository();
  const spaceId = await newSpace(closed.admin, closed.organizationId);
  const run = await sync(closed.admin, spaceId, 'import', { url: docs.url });
  expect(run).toMatchObject({ status: 'failed', reason: expect.stringContaining('private address') });
  expect(docs.requests).toEqual([]);
});

test('pages have their files of the branch', async () => {
  const docs = await repository();
  const spaceId = await newSpace(admin, organizationId);
  await sync(admin, spaceId, 'import', { url: docs.url });
  const pageId = await pageAt(admin, spaceId, 'home');
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content/page/${pageId}`);
  expect(body.git).toEqual({ oid: expect.stringMatching(/^[0-9a-f]{40}$/), path: 'README.md' });
});
