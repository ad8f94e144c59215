import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { GitRepository } from '../../git-server.ts';
import { hasSshd, startSshServer } from '../../ssh-server.ts';
import { world } from '../../world.ts';
import { edit, markdownAt, newSpace, pageAt, pagesIn, settleGit, sync } from './arrange.ts';
import { connect, connectionOf, start, synchronize } from './connect.ts';

const { admin, creator, editor, outsider, organizationId, app } = await world({
  ALLOW_PRIVATE_NETWORK: '1',
  GIT_PROGRAM: 'git',
});

const FILES = { 'README.md': '# Home\n\nText.\n', 'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n' };
const REF = 'refs/heads/main';

const write = async (spaceId: string, markdown: string) =>
  edit(admin, spaceId, [{ updatePage: { pageId: await pageAt(admin, spaceId, 'home'), document: { markdown } } }]);

const checks = async (spaceId: string) => {
  const { body } = await admin.post(`/v1/spaces/${spaceId}/git/connection/check`, {});
  return Object.fromEntries(body.checks.map(({ name, outcome }: Record<string, string>) => [name, outcome]));
};

test.each([
  'ext::sh -c touch% /tmp/x',
  'file:///etc',
  '/srv/docs.git',
  '-oProxyCommand=touch /tmp/x',
  'ssh://-oProxyCommand=x/docs.git',
  'ssh://git@-oProxyCommand=x/docs.git',
  'git@host:-x/../docs.git',
  'git@host:docs.git; touch /tmp/x',
  'ssh://git:password@host/docs.git',
  'git://host/docs.git',
  'ssh://git@host:70000/docs.git',
])('refuses the address %s', async (url) => {
  const spaceId = await newSpace(admin, organizationId);
  const { status, body } = await admin.post(`/v1/spaces/${spaceId}/git/connection`, { url, ref: REF });
  expect(status).toBe(400);
  expect(body.error.message).toContain('url');
  expect(await admin.post(`/v1/spaces/${spaceId}/git/import`, { url, ref: REF })).toMatchObject({ status: 400 });
});

test('a connection over SSH has a key pair, which is shown without its private half and can be rotated', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const path = `/v1/spaces/${spaceId}/git/connection`;
  await connect(admin, spaceId, { url: 'git@git.example.com:acme/docs.git' });
  const first = await connectionOf(admin, spaceId);
  expect(first).toMatchObject({
    url: 'ssh://git@git.example.com/~/acme/docs.git',
    hasCredentials: false,
    sshPublicKey: expect.stringMatching(/^ssh-ed25519 /),
  });
  expect(JSON.stringify(first)).not.toContain('PRIVATE');
  const row = await app.services.db
    .selectFrom('git_connection')
    .where('spaceId', '=', spaceId)
    .select('sshPrivateKey')
    .executeTakeFirstOrThrow();
  expect(Buffer.from(row.sshPrivateKey ?? '').toString('latin1')).not.toContain('PRIVATE');
  expect((await editor.post(`${path}/rotate-ssh-key`, {})).status).toBe(403);
  expect((await creator.post(`${path}/rotate-ssh-key`, {})).status).toBe(403);
  expect((await outsider.post(`${path}/rotate-ssh-key`, {})).status).toBe(404);
  const { sshPublicKey: second } = (await admin.post(`${path}/rotate-ssh-key`, {})).body;
  const rotated = await admin.mutate('rotateGitSshKey', { spaceId }, 'connection { sshPublicKey }');
  const third = rotated.connection.sshPublicKey;
  expect(new Set([first.sshPublicKey, second, third]).size).toBe(3);
  const space = await admin.graphql(
    'query($id: ID!) { space(id: $id) { gitConnection { sshPublicKey sshHostKeys } } }',
    {
      id: spaceId,
    },
  );
  expect(space).toEqual({ space: { gitConnection: { sshPublicKey: third, sshHostKeys: null } } });
  // A key opens what its owner gave it for, so another repository gets another one.
  const other = await admin.patch(path, { url: 'git@git.example.com:acme/other.git' });
  expect(other.body.sshPublicKey).not.toBe(third);
  const http = await admin.patch(path, { url: 'https://git.example.com/acme/docs.git' });
  expect(http.body.sshPublicKey).toBeUndefined();
  expect(await admin.post(`${path}/rotate-ssh-key`, {})).toMatchObject({ status: 409 });
});

test('imports and exports over SSH need a connection of the space to the repository', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const url = 'git@git.example.com:acme/docs.git';
  const refused = await admin.post(`/v1/spaces/${spaceId}/git/import`, { url, ref: REF });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('createGitConnection') } },
  });
  await connect(admin, spaceId, { url });
  const ofOther = await newSpace(admin, organizationId);
  expect(await admin.post(`/v1/spaces/${ofOther}/git/import`, { url, ref: REF })).toMatchObject({ status: 400 });
});

test('the key of a connection only reads and writes its branch and directory, also for standalone imports', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const url = 'git@git.example.com:acme/docs.git';
  await connect(admin, spaceId, { url, repoProjectDirectory: 'docs' });
  const answer = async (direction: 'import' | 'export', run: object) =>
    (await creator.post(`/v1/spaces/${spaceId}/git/${direction}`, { url, ref: REF, commitMessage: 'Edit', ...run }))
      .status;
  const other = { ref: 'refs/heads/secret', repoProjectDirectory: 'docs' };
  for (const run of [other, { ...other, ref: REF, repoProjectDirectory: 'secret' }, {}]) {
    expect(await answer('import', { ...run, standalone: true })).toBe(409);
    expect(await answer('import', run)).toBe(409);
    expect(await answer('export', run)).toBe(409);
  }
  expect(await answer('import', { repoProjectDirectory: '/docs/', standalone: true })).toBe(204);
});

test('keys of hosts are checked, and are only for SSH', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const path = `/v1/spaces/${spaceId}/git/connection`;
  const its = { url: 'git@git.example.com:acme/docs.git', ref: REF };
  expect((await admin.post(path, { ...its, sshHostKeys: ['no key'] })).status).toBe(400);
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
  expect((await admin.post(path, { ...its, url: 'https://x.example/d.git', sshHostKeys: [key] })).status).toBe(400);
  await connect(admin, spaceId, { ...its, sshHostKeys: [`git.example.com ${key} comment`, key] });
  expect((await connectionOf(admin, spaceId)).sshHostKeys).toEqual([key]);
  expect((await admin.patch(path, { sshHostKeys: null })).body.sshHostKeys).toBeUndefined();
});

test('a run over SSH is ended when it is cancelled, with its processes', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spaceId = await newSpace(admin, organizationId);
  const { port } = server.address() as AddressInfo;
  const url = `ssh://git@127.0.0.1:${port}/docs.git`;
  await connect(admin, spaceId, { url });
  const accepted = once(server, 'connection');
  await admin.post(`/v1/spaces/${spaceId}/git/import`, { url, ref: REF });
  const running = settleGit(admin, spaceId);
  const [socket] = (await accepted) as [Socket];
  const gone = once(socket.on('error', () => {}).resume(), 'close');
  const { body } = await admin.get(`/v1/spaces/${spaceId}/git/runs`);
  await admin.post(`/v1/spaces/${spaceId}/git/runs/${body.items[0].id}/cancel`);
  await gone;
  expect(await running).toMatchObject({ status: 'cancelled' });
  server.close();
});

describe.runIf(hasSshd)('with a server', async () => {
  const server = hasSshd ? await startSshServer() : (undefined as never); // skipped tests do not use it
  afterAll(() => (hasSshd ? server.close() : undefined));

  let names = 0;
  async function repository(files: Record<string, string> = FILES): Promise<GitRepository> {
    const made = await server.repository(`docs-${names++}`);
    if (Object.keys(files).length > 0) await made.commit(files);
    return made;
  }

  /** A space with a connection whose key the server accepts. */
  async function connected(its: GitRepository, settings: object = {}) {
    const spaceId = await newSpace(admin, organizationId);
    await connect(admin, spaceId, { url: its.url, ...settings });
    await server.authorize((await connectionOf(admin, spaceId)).sshPublicKey);
    return spaceId;
  }

  test('imports and exports with the key of a connection that was not started', async () => {
    const docs = await repository();
    const spaceId = await connected(docs);
    const { status, commit } = await sync(admin, spaceId, 'import', { url: docs.url });
    expect({ status, commit }).toEqual({ status: 'completed', commit: await docs.tip() });
    expect(await markdownAt(admin, spaceId, 'home')).toContain('Text.');
    expect(await sync(admin, spaceId, 'export', { url: docs.url })).toMatchObject({ filesChanged: 0 });
    await write(spaceId, 'Edited.');
    expect(await sync(admin, spaceId, 'export', { url: docs.url })).toMatchObject({
      status: 'completed',
      filesChanged: 1,
    });
    expect(await docs.files()).toEqual({ ...FILES, 'README.md': '# Home\n\nEdited.\n' });
    expect((await docs.log()).map(({ parent }) => parent.length)).toEqual([1, 0]);
  });

  test('synchronizes both sides, also after many commits and a rewritten history', async () => {
    const docs = await repository();
    const spaceId = await connected(docs);
    expect(await start(admin, spaceId)).toMatchObject({ state: 'active' });
    await write(spaceId, 'From the space.');
    const summary = `${FILES['SUMMARY.md']}* [Other](other.md)\n`;
    await docs.commit({ 'SUMMARY.md': summary, 'other.md': '# Other\n\nFrom the branch.\n' });
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
    expect((await docs.files())['README.md']).toContain('From the space.');
    for (const text of ['One.', 'Two.', 'Three.']) await docs.commit({ 'other.md': `# Other\n\n${text}\n` });
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
    await docs.rewrite({ ...(await docs.files()), 'other.md': '# Other\n\nRewritten.\n' });
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
    expect((await pagesIn(admin, spaceId)).map(({ title }) => title)).toEqual(['Home', 'Other']);
    expect(await markdownAt(admin, spaceId, 'other')).toContain('Rewritten.');
  });

  test('writes to an empty repository and to a new branch, and names a missing one', async () => {
    const docs = await repository({});
    const spaceId = await connected(docs, { initialSide: 'space' });
    await edit(admin, spaceId, [{ insertPage: { title: 'Home', document: { markdown: 'New.' } } }]);
    expect(await start(admin, spaceId)).toMatchObject({ state: 'active' });
    expect(Object.values(await docs.files()).join()).toContain('New.');
    await docs.renameBranch('main', 'trunk');
    expect(await synchronize(admin, spaceId)).toMatchObject({
      state: 'branch-missing',
      stateDetail: expect.stringContaining('"trunk"'),
    });
    await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { ref: 'refs/heads/trunk' });
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  });

  test('a key that may only read is a state that says what to do', async () => {
    const docs = await repository();
    const spaceId = await connected(docs);
    const { sshPublicKey } = await connectionOf(admin, spaceId);
    await start(admin, spaceId);
    expect(await checks(spaceId)).toEqual({ address: 'ok', rights: 'ok', branch: 'ok', layout: 'ok', hook: 'warning' });
    const readOnly =
      'case "$SSH_ORIGINAL_COMMAND" in git-upload-pack*) eval "$SSH_ORIGINAL_COMMAND";; *) echo "ERROR: The key you are authenticating with has been marked as read only." >&2; exit 1;; esac';
    await server.authorize(sshPublicKey, `restrict,command="${readOnly.replaceAll('"', '\\"')}"`);
    expect(await checks(spaceId)).toMatchObject({ address: 'ok', rights: 'error' });
    await write(spaceId, 'Edited.');
    expect(await synchronize(admin, spaceId)).toMatchObject({
      state: 'unauthorized',
      remedy: expect.stringContaining('sshPublicKey'),
    });
    await server.authorize(sshPublicKey);
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
    expect((await docs.files())['README.md']).toContain('Edited.');
  });

  test('a refused key and a missing repository are states that say what to do', async () => {
    const docs = await repository();
    const spaceId = await connected(docs);
    await admin.mutate('rotateGitSshKey', { spaceId }, 'connection { id }');
    expect(await start(admin, spaceId)).toMatchObject({ state: 'unauthorized', remedy: expect.any(String) });
    expect(await checks(spaceId)).toMatchObject({ address: 'error' });
    await server.authorize((await connectionOf(admin, spaceId)).sshPublicKey);
    expect(await start(admin, spaceId)).toMatchObject({ state: 'active' });
    await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { url: `${docs.url}-other` });
    await server.authorize((await connectionOf(admin, spaceId)).sshPublicKey);
    expect(await checks(spaceId)).toMatchObject({ address: 'error' });
    expect(await start(admin, spaceId)).toMatchObject({ state: 'repository-missing', remedy: expect.any(String) });
  });

  test('a push that a hook refuses goes to a branch for proposals', async () => {
    const docs = await repository();
    const spaceId = await connected(docs);
    await start(admin, spaceId);
    const hook = join(docs.gitdir, 'hooks', 'update');
    await writeFile(hook, '#!/bin/sh\n[ "$1" != refs/heads/main ] || { echo "main is protected" >&2; exit 1; }\n');
    await chmod(hook, 0o755);
    await write(spaceId, 'Edited.');
    expect(await synchronize(admin, spaceId)).toMatchObject({
      state: 'protected',
      proposalRef: 'refs/heads/stemma/main',
    });
    expect((await docs.files('stemma/main'))['README.md']).toContain('Edited.');
    await write(spaceId, 'Edited again.');
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'protected' });
    expect((await docs.files('stemma/main'))['README.md']).toContain('Edited again.');
    expect(await docs.files()).toEqual(FILES);
  });

  test('the first host key is trusted, and nothing is sent to a host with another one', async () => {
    const docs = await repository();
    const spaceId = await connected(docs);
    await start(admin, spaceId);
    const [type, base64] = server.hostKey().split(' ');
    expect((await connectionOf(admin, spaceId)).sshHostKeys).toEqual([`${type} ${base64}`]);
    await server.changeHostKey();
    await write(spaceId, 'Edited.');
    expect(await synchronize(admin, spaceId)).toMatchObject({
      state: 'host-key-changed',
      remedy: expect.stringContaining('sshHostKeys'),
    });
    expect(await docs.files()).toEqual(FILES);
    await admin.patch(`/v1/spaces/${spaceId}/git/connection`, { sshHostKeys: [`127.0.0.1 ${server.hostKey()}`] });
    expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
    expect((await docs.files())['README.md']).toContain('Edited.');
  });
});

describe('without access to private addresses', async () => {
  const closed = await world({ GIT_PROGRAM: 'git' });

  test('refuses hosts with private addresses, also behind names', async () => {
    const server = createServer(() => expect.unreachable('a connection was opened')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254']) {
      const spaceId = await newSpace(closed.admin, closed.organizationId);
      const url = `ssh://git@${host}:${port}/docs.git`;
      await connect(closed.admin, spaceId, { url });
      expect(await start(closed.admin, spaceId)).toMatchObject({
        state: 'unreachable',
        stateDetail: expect.stringContaining('private address'),
      });
    }
    server.close();
  });
});
