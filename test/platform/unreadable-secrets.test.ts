import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { deliverWebhook } from '../../src/domain/insight/webhooks/deliver-webhook.ts';
import { sendInvite } from '../../src/domain/people/invites/index.ts';
import { newId } from '../../src/platform/ids/ids.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { storedSecrets } from '../../src/stored-secrets.ts';
import { administer } from '../database.ts';
import { makeReceiver } from '../insight/webhooks/receiver.ts';
import { makeMailServer } from '../people/invites/mail-server.ts';
import { Application, makeVerifier } from '../people/oauth/application.ts';
import { Browser } from '../people/sso/browser.ts';
import { siteWith, spaceTitled } from '../publishing/arrange.ts';
import { refusalTo, visitorToken } from '../publishing/visiting.ts';
import { gitServer, newSpace, settleGit } from '../sources/git/arrange.ts';
import { connect, connectionOf, githubHook, start, synchronize } from '../sources/git/connect.ts';
import { translating } from '../sources/translations/arrange.ts';
import { world } from '../world.ts';

const here = await world({ ALLOW_PRIVATE_NETWORK: '1', GIT_PROGRAM: 'git' });
const { app, admin, reader, anonymous, url, databaseUrl, organizationId } = here;
const { services } = app;
const mail = await makeMailServer();
const withMail = await world({ SMTP_URL: mail.url });
const git = await gitServer();

const job = (at = services) => jobContext(at, 'test');
const attempt = () => ({ signal: new AbortController().signal, retries: 0 });

/** Every column that a test here has made unreadable. */
const damaged = new Set<string>();

/** Makes stored secrets unreadable, as if another secret key had encrypted them. */
async function lose(column: string, where: string, at = databaseUrl): Promise<void> {
  const [table, name] = column.split('.');
  damaged.add(column);
  const changed = `set ${name} = substr(${name}, 1, 13) || sha256(${name}) || substr(${name}, 30)`;
  await administer(at, `update ${table} ${changed} where ${where}`);
}

const REPLACEABLE = { error: { code: 409, message: expect.stringContaining('cannot be read') } };

test('an invitation whose link cannot be read is listed, works, and can be replaced and withdrawn', async () => {
  const path = `/v1/orgs/${organizationId}/invites`;
  await admin.post(path, { emails: ['ann@acme.example', 'bo@acme.example'], role: 'edit' });
  const before = (await admin.get(path)).body.items;
  expect(before.map((each: object) => Object.keys(each).includes('url'))).toEqual([true, true]);
  expect(before[0]).toMatchObject({ hasUnreadableSecret: false });
  await lose('email_invite.secret', `organization_id = '${organizationId}'`);
  const { status, body } = await admin.get(path);
  expect(status).toBe(200);
  expect(body.items).toMatchObject([{ hasUnreadableSecret: true }, { hasUnreadableSecret: true }]);
  expect(body.items[0]).not.toHaveProperty('url');
  const query = `query($id: ID!, $organizationId: ID!) { node(id: $id) { ... on EmailInvite { email url hasUnreadableSecret } }
    organization(id: $organizationId) { invites { nodes { url hasUnreadableSecret } } } }`;
  const { node, organization } = await admin.graphql(query, { id: before[0].id, organizationId });
  expect(node).toMatchObject({ url: null, hasUnreadableSecret: true });
  expect(organization.invites.nodes).toEqual([node, node].map(({ email: _, ...shown }) => shown));
  // The link that was passed on before still works.
  const [, inviteId, secret] = /#(\w+)\.(.+)/.exec(before[1].url) ?? [];
  expect((await anonymous.post(`/v1/invites/${inviteId}/accept`, { secret })).status).toBe(200);
  await admin.post(path, { emails: [before[0].email] });
  const [again] = (await admin.get(path)).body.items;
  expect(again).toMatchObject({ hasUnreadableSecret: false, url: expect.stringContaining('/invite#') });
  await lose('email_invite.secret', `id = '${again.id}'`);
  expect((await admin.delete(`${path}/${again.id}`)).status).toBe(204);
  expect((await admin.get(path)).body.items).toEqual([]);
});

test('an invitation that was not sent yet gets another link if its own cannot be read', async () => {
  const { admin: inviting, organizationId: id } = withMail;
  await inviting.post(`/v1/orgs/${id}/invites`, { emails: ['cy@acme.example'] });
  const [invite] = (await inviting.get(`/v1/orgs/${id}/invites`)).body.items;
  await lose('email_invite.secret', `id = '${invite.id}'`, withMail.databaseUrl);
  await sendInvite.run(job(withMail.app.services), { inviteId: invite.id }, attempt());
  const [, secret] = /#emailinvite_\w+\.([\w-]+)/.exec(mail.received.at(-1)?.text ?? '') ?? [];
  expect((await withMail.anonymous.post(`/v1/invites/${invite.id}/accept`, { secret })).status).toBe(200);
});

test('a share link whose key cannot be read is listed, admits visitors, and can be renamed and revoked', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Shared');
  const site = await siteWith(admin, organizationId, { title: 'Shared', visibility: 'share-link', spaces: [spaceId] });
  await admin.post(`${site.path}/publish`);
  const links = `${site.path}/share-links`;
  const { body: link } = await admin.post(links, { name: 'Press' });
  const shareKey = link.urls.published.split('/').at(-2);
  await lose('share_link.key', `id = '${link.id}'`);
  const listed = await admin.get(links);
  expect([listed.status, listed.body.items]).toMatchObject([200, [{ name: 'Press', hasUnreadableSecret: true }]]);
  expect(listed.body.items[0].urls).not.toHaveProperty('published');
  const query = `query($id: ID!, $siteId: ID!) { node(id: $id) { ... on ShareLink { key hasUnreadableSecret urls { published } } }
    site(id: $siteId) { shareLinks { nodes { key hasUnreadableSecret urls { published } } } } }`;
  const shown = { key: null, hasUnreadableSecret: true, urls: { published: null } };
  const read = await admin.graphql(query, { id: link.id, siteId: site.id });
  expect(read).toEqual({ node: shown, site: { shareLinks: { nodes: [shown] } } });
  expect(await refusalTo(app, site.id, { shareKey })).toBeUndefined();
  expect((await admin.patch(`${links}/${link.id}`, { name: 'Old' })).body).toMatchObject({ name: 'Old' });
  expect((await admin.get(`${links}/${link.id}`)).body).toMatchObject({ hasUnreadableSecret: true });
  expect((await admin.delete(`${links}/${link.id}`)).status).toBe(204);
  const { body: other } = await admin.post(links, { name: 'New' });
  expect(other).toMatchObject({ hasUnreadableSecret: false, urls: { published: expect.any(String) } });
});

test('a site whose key cannot be read says so, refuses tokens of visitors, and can get another key', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Guarded');
  const site = await siteWith(admin, organizationId, {
    title: 'Guarded',
    visibility: 'visitor-auth',
    spaces: [spaceId],
  });
  await admin.post(`${site.path}/publish`);
  const auth = `${site.path}/publishing/auth`;
  const jwtToken = await visitorToken((await admin.get(auth)).body.privateKey, {});
  expect(await refusalTo(app, site.id, { jwtToken })).toBeUndefined();
  await lose('site_auth.private_key', `site_id = '${site.id}'`);
  const { status, body } = await admin.get(auth);
  expect([status, body]).toEqual([200, expect.objectContaining({ hasUnreadableSecret: true })]);
  expect(body.privateKey).toBe('');
  const query = 'query($id: ID!) { site(id: $id) { publishingAuth { privateKey hasUnreadableSecret } } }';
  expect(await admin.graphql(query, { id: site.id })).toEqual({
    site: { publishingAuth: { privateKey: null, hasUnreadableSecret: true } },
  });
  expect(await refusalTo(app, site.id, { jwtToken })).toBe('visitor-auth');
  expect((await admin.patch(auth, { backend: 'custom', logoutURL: 'https://acme.example/out' })).status).toBe(200);
  const { body: renewed } = await admin.post(`${auth}/regenerate`);
  expect(renewed).toMatchObject({ hasUnreadableSecret: false, privateKey: expect.any(String) });
  expect(await refusalTo(app, site.id, { jwtToken: await visitorToken(renewed.privateKey, {}) })).toBeUndefined();
  await lose('site_auth.private_key', `site_id = '${site.id}'`);
  expect((await admin.delete(site.path)).status).toBe(204);
});

test('a webhook whose secret cannot be read is shown, its deliveries fail with the reason, and it can be replaced or deleted', async () => {
  const receiver = await makeReceiver();
  const path = `/v1/orgs/${organizationId}/webhooks`;
  const { body: webhook } = await admin.post(path, { url: receiver.url, kinds: ['space_created'] });
  await lose('webhook.secret', `id = '${webhook.id}'`);
  expect((await admin.get(path)).body.items).toMatchObject([{ id: webhook.id, hasUnreadableSecret: true }]);
  expect((await admin.get(`/v1/webhooks/${webhook.id}`)).body).toMatchObject({ hasUnreadableSecret: true });
  const query = `query($id: ID!, $organizationId: ID!) { node(id: $id) { ... on Webhook { hasUnreadableSecret } }
    organization(id: $organizationId) { webhooks { nodes { hasUnreadableSecret } } } }`;
  const shown = { hasUnreadableSecret: true };
  const read = await admin.graphql(query, { id: webhook.id, organizationId });
  expect(read).toEqual({ node: shown, organization: { webhooks: { nodes: [shown] } } });
  await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Announced' });
  const event = await services.db
    .selectFrom('event')
    .where('kind', '=', 'space_created')
    .orderBy('id', 'desc')
    .select('id')
    .executeTakeFirstOrThrow();
  const deliveryId = newId('delivery');
  const delivery = { id: deliveryId, organizationId, webhookId: webhook.id, eventId: event.id };
  await services.db
    .insertInto('webhook_delivery')
    .values({ ...delivery, createdAt: new Date().toISOString() })
    .execute();
  await deliverWebhook.run(job(), { deliveryId }, attempt());
  expect((await admin.get(`/v1/webhooks/${webhook.id}/deliveries`)).body.items).toMatchObject([
    { status: 'failed', attempts: 1, error: expect.stringContaining('secret of the webhook cannot be read') },
  ]);
  expect(receiver.received).toEqual([]);
  expect((await admin.patch(`/v1/webhooks/${webhook.id}`, { label: 'Old' })).body).toMatchObject({ label: 'Old' });
  const { body: replaced } = await admin.patch(`/v1/webhooks/${webhook.id}`, { url: receiver.url });
  expect(replaced).toMatchObject({ secret: expect.stringMatching(/^whsec_/), hasUnreadableSecret: false });
  expect((await admin.delete(`/v1/webhooks/${webhook.id}`)).status).toBe(204);
});

test('an organization whose signing key cannot be read signs with another, and verifiers find both', async () => {
  const ping = async () => (await reader.post(`/v1/orgs/${organizationId}/ping`)).body.serviceVisitorClaims as string;
  const keys = async () => (await anonymous.get(`/v1/orgs/${organizationId}/jwks.json`)).body;
  await admin.post(`/v1/orgs/${organizationId}/members/${reader.userId}/sso`);
  const before = await ping();
  await lose('signing_key.private_key', `organization_id = '${organizationId}'`);
  here.advance(1_000);
  const after = await ping();
  expect((await keys()).keys).toHaveLength(2);
  const set = createLocalJWKSet(await keys());
  for (const token of [before, after, await ping()]) {
    await jwtVerify(token, set, { currentDate: services.clock() });
  }
  expect((await keys()).keys).toHaveLength(2);
  await lose('signing_key.private_key', `organization_id = '${organizationId}'`);
  here.advance(1_000);
  const rotated = await admin.post(`/v1/orgs/${organizationId}/jwks/rotate`, { revokeFormer: true });
  expect([rotated.status, rotated.body.keys.length]).toEqual([200, 1]);
});

test('a translation provider whose key cannot be read is shown, ends runs with the reason, and can be set again or reset', async () => {
  const { makeSpace, create, work } = translating(here);
  const provider = `/v1/orgs/${organizationId}/translation-provider`;
  const set = { kind: 'DEEPL', url: 'http://127.0.0.1:9', apiKey: 'a key' };
  await admin.mutate('setTranslationProvider', { organizationId, ...set }, 'translationProvider { hasApiKey }');
  await lose('translation_provider.api_key', `organization_id = '${organizationId}'`);
  const query = `query($id: ID!) { organization(id: $id) { translationProvider { kind hasApiKey hasUnreadableSecret } } }`;
  const { organization } = await admin.graphql(query, { id: organizationId });
  expect(organization.translationProvider).toEqual({ kind: 'DEEPL', hasApiKey: true, hasUnreadableSecret: true });
  expect((await admin.get(provider)).body).toMatchObject({ hasApiKey: true, hasUnreadableSecret: true });
  const { spaceId } = await makeSpace({ Home: 'Text to translate.' });
  const { translationId } = await create(spaceId);
  expect(await work(translationId)).toMatchObject({
    lastError: expect.stringContaining('key of the translation provider cannot be read'),
  });
  const again = await admin.mutate(
    'setTranslationProvider',
    { organizationId, ...set },
    'translationProvider { hasUnreadableSecret }',
  );
  expect(again.translationProvider).toEqual({ hasUnreadableSecret: false });
  await lose('translation_provider.api_key', `organization_id = '${organizationId}'`);
  await admin.mutate('resetTranslationProvider', { organizationId }, 'translationProvider { isDefault }');
  expect((await admin.get(provider)).body).toMatchObject({ isDefault: true, hasUnreadableSecret: false });
});

const SHOWN = `query($id: ID!, $spaceId: ID!) { node(id: $id) { ... on ConnectedGitBranch { state unreadableSecrets } }
  space(id: $spaceId) { gitConnection { state unreadableSecrets } } }`;

test('a Git connection whose token cannot be read says so, starts nothing, and goes on with another token', async () => {
  const repository = await git.repository('lost-token');
  await repository.commit({ 'README.md': '# Home\n\nText.\n' });
  repository.credentials = 'ann:token';
  const withToken = repository.url.replace('http://', 'http://ann:token@');
  const spaceId = await newSpace(admin, organizationId);
  const { id } = await connect(admin, spaceId, { url: withToken });
  const path = `/v1/spaces/${spaceId}/git/connection`;
  expect(await start(admin, spaceId)).toMatchObject({ state: 'active', unreadableSecrets: [] });
  await lose('git_connection.credentials', `id = '${id}'`);
  expect(await connectionOf(admin, spaceId)).toMatchObject({ unreadableSecrets: ['credentials'] });
  expect(await synchronize(admin, spaceId)).toMatchObject({
    state: 'secret-unreadable',
    stateDetail: expect.stringContaining('user name and token of the Git connection cannot be read'),
    remedy: expect.stringContaining('again'),
  });
  const shown = { state: 'SECRET_UNREADABLE', unreadableSecrets: ['CREDENTIALS'] };
  expect(await admin.graphql(SHOWN, { id, spaceId })).toEqual({ node: shown, space: { gitConnection: shown } });
  expect(await admin.post(`${path}/start`, {})).toMatchObject({ status: 409, body: REPLACEABLE });
  expect(await admin.post(`${path}/preview`, {})).toMatchObject({ status: 409, body: REPLACEABLE });
  await expect(admin.mutate('startGitConnection', { spaceId }, 'gitRun { id }')).rejects.toThrow('cannot be read');
  const { body: checked } = await admin.post(`${path}/check`, {});
  expect(checked.checks[0]).toMatchObject({ outcome: 'error', message: expect.stringContaining('cannot be read') });
  expect((await admin.patch(path, { url: withToken })).body).toMatchObject({ unreadableSecrets: [] });
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'active' });
  await lose('git_connection.credentials', `id = '${id}'`);
  expect((await admin.delete(path)).status).toBe(204);
});

test('a Git hook whose secret cannot be read answers 409 until the secret is replaced', async () => {
  const repository = await git.repository('lost-hook');
  await repository.commit({ 'README.md': '# Home\n\nText.\n' });
  const spaceId = await newSpace(admin, organizationId);
  const connection = await connect(admin, spaceId, { url: repository.url });
  const push = { ref: 'refs/heads/main', after: '1'.repeat(40) };
  expect(await githubHook(url, connection, 'push', push)).toBe(202);
  await lose('git_connection.hook_secret', `id = '${connection.id}'`);
  expect(await githubHook(url, connection, 'push', push)).toBe(409);
  expect(await connectionOf(admin, spaceId)).toMatchObject({ unreadableSecrets: ['hook-secret'] });
  const { body } = await admin.post(`/v1/spaces/${spaceId}/git/connection/rotate-hook-secret`);
  expect(body).toMatchObject({ unreadableSecrets: [] });
  expect(await githubHook(url, { ...connection, hookSecret: body.hookSecret }, 'push', push)).toBe(202);
});

test('a Git connection whose SSH key cannot be read says so, and can get another one', async () => {
  const spaceId = await newSpace(admin, organizationId);
  const { id } = await connect(admin, spaceId, { url: 'ssh://git@127.0.0.1:9/docs.git' });
  await lose('git_connection.ssh_private_key', `id = '${id}'`);
  const shown = await start(admin, spaceId);
  expect(shown).toMatchObject({
    state: 'secret-unreadable',
    unreadableSecrets: ['ssh-key'],
    remedy: expect.stringContaining('rotateGitSshKey'),
    sshPublicKey: expect.stringMatching(/^ssh-/),
  });
  const path = `/v1/spaces/${spaceId}/git/connection`;
  const { body } = await admin.post(`${path}/rotate-ssh-key`);
  expect([body.unreadableSecrets, body.sshPublicKey === shown.sshPublicKey]).toEqual([[], false]);
  expect(await synchronize(admin, spaceId)).toMatchObject({ state: 'unreachable' });
  await lose('git_connection.ssh_private_key', `id = '${id}'`);
  expect((await admin.delete(path)).status).toBe(204);
});

test('a Git operation whose credentials cannot be read fails with the reason, and can be started again', async () => {
  const repository = await git.repository('lost-run');
  await repository.commit({ 'README.md': '# Home\n\nText.\n' });
  repository.credentials = 'ann:token';
  const spaceId = await newSpace(admin, organizationId);
  const given = { url: repository.url.replace('http://', 'http://ann:token@'), ref: 'refs/heads/main' };
  expect((await admin.post(`/v1/spaces/${spaceId}/git/import`, given)).status).toBe(204);
  await lose('git_run.credentials', `space_id = '${spaceId}'`);
  expect(await settleGit(admin, spaceId)).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('password or token of the operation cannot be read'),
  });
  const { space } = await admin.graphql(
    'query($id: ID!) { space(id: $id) { gitRuns(first: 1) { nodes { status reason } } } }',
    { id: spaceId },
  );
  expect(space.gitRuns.nodes).toEqual([{ status: 'FAILED', reason: expect.stringContaining('Start it again') }]);
  await admin.post(`/v1/spaces/${spaceId}/git/import`, given);
  expect(await settleGit(admin, spaceId)).toMatchObject({ status: 'completed' });
});

test('an application whose registration cannot be read has to register again', async () => {
  const robot = await Application.register(url);
  const address = robot.addressFor(makeVerifier());
  expect((await new Browser(url).open(address)).status).toBe(303);
  await lose('oauth_record.payload', `type = 'Client'`);
  const { status, body } = await anonymous.get(address);
  expect([status, body.error]).toEqual([400, 'invalid_client']);
  expect((await Application.register(url)).clientId).not.toBe(robot.clientId);
});

test('an OIDC provider whose client secret cannot be read says so at the sign-in, until it is set again', async () => {
  const path = `/v1/orgs/${organizationId}/oidc`;
  const settings = {
    label: 'Acme',
    issuer: 'https://login.acme.example',
    clientId: 'stemma',
    clientSecret: 'a secret',
  };
  const { body: provider } = await admin.post(path, settings);
  await lose('saml_provider.client_secret', `id = '${provider.id}'`);
  expect((await admin.get(`${path}/${provider.id}`)).status).toBe(200);
  const start = () => new Browser(url).open(`/sso/oidc/${provider.id}/start`);
  const refused = await start();
  expect([refused.status, await refused.text()]).toEqual([
    403,
    expect.stringContaining('client secret of the identity provider cannot be read'),
  ]);
  expect((await admin.patch(`${path}/${provider.id}`, { clientSecret: 'another secret' })).status).toBe(200);
  expect(await (await start()).text()).not.toContain('cannot be read');
});

test('every column with secrets has a test here', () => {
  expect([...damaged].sort()).toEqual(storedSecrets.map(({ table, column }) => `${table}.${column}`).sort());
});
