import { Readable } from 'node:stream';
import {
  auth,
  Client as McpClient,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { removeExpiredOAuth } from '../../../src/domain/people/oauth/remove-expired-oauth.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { Client } from '../../client.ts';
import { McpAgent } from '../../mcp/agent.ts';
import { configOf } from '../../settings.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';
import {
  Application,
  allow,
  goneOn,
  type Json,
  makeVerifier,
  questionAt,
  refusal,
  registration,
  signedIn,
} from './application.ts';

const port = await freePort();
const here = await world({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
const { url, app, editor, admin, anonymous, organizationId, advance } = here;
const { services } = app;
const { db } = services;
const robot = await Application.register(url);
const browser = await signedIn(url, editor.token);

const statusOf = async (token: string, path = '/v1/user') => (await new Client(url, token).get(path)).status;
const grantsOf = async (client: Client) => (await client.get('/v1/user/oauth-grants')).body.items;
const rejected = (error: string) => ({ status: 400, body: expect.objectContaining({ error }) });

test('an application gets tokens by a code, and calls both APIs as the person', async () => {
  const tokens = await robot.connect(browser);
  expect(tokens).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_in: 3_600,
    scope: 'read propose',
    token_type: 'Bearer',
  });
  const client = new Client(url, tokens.access_token);
  expect((await client.get('/v1/user')).body.id).toBe(editor.userId);
  expect((await client.graphql('{ viewer { id } }')).viewer.id).toBe(editor.userId);
  const stored = await db.selectFrom('oauth_record').select(['idHash', 'payload', 'audience']).execute();
  const text = JSON.stringify(stored.map((row) => [row.idHash, row.payload.toString('latin1')]));
  for (const secret of [tokens.access_token, tokens.refresh_token]) expect(text).not.toContain(secret);
});

test('the page of consent says who asks for what, and cannot be framed', async () => {
  const { page, html, scopes } = await questionAt(
    browser,
    robot.addressFor(makeVerifier(), { scope: 'merge propose' }),
  );
  expect([page.status, scopes]).toEqual([200, ['scope_propose', 'scope_merge']]);
  expect(html).toMatch(/Connect Robot\?.*Editor.*editor@acme\.example.*has registered itself.*127\.0\.0\.1/s);
  expect(page.headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*form-action 'self'; frame-ancestors 'none'/,
  );
  expect(page.headers.get('x-frame-options')).toBe('DENY');
});

test('a person can grant less than is asked for, or deny', async () => {
  const verifier = makeVerifier();
  const address = robot.addressFor(verifier, { scope: 'read propose merge' });
  const back = await allow(browser, address, { scope_merge: 'no' });
  const { body } = await robot.exchange(back.searchParams.get('code') ?? '', verifier);
  expect(body.scope).toBe('read propose');
  const { path, account } = await questionAt(browser, address);
  const denied = await browser.submit(path, { account, decision: 'deny' });
  const end = await browser.open(goneOn(denied));
  expect(new URL(end.headers.get('location') ?? '').searchParams.get('error')).toBe('access_denied');
});

test('without a scope the application can read, and never more than its scopes', async () => {
  const reading = new Client(url, (await robot.connect(browser, { scope: '' })).access_token);
  const proposing = new Client(url, (await robot.connect(browser)).access_token);
  const { body: made } = await here.creator.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Docs' });
  const spaceId = made.id;
  await here.grant(spaceId, editor.userId, 'admin');
  expect((await reading.post(`/v1/spaces/${spaceId}/change-requests`, {})).status).toBe(403);
  const request = await proposing.post(`/v1/spaces/${spaceId}/change-requests`, {});
  expect(request.status).toBe(201);
  const refused = await proposing.post(`/v1/spaces/${spaceId}/change-requests/${request.body.id}/merge`);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    403,
    `Bearer error="insufficient_scope", scope="merge", resource_metadata="${url}/.well-known/oauth-protected-resource/v1"`,
  ]);
});

test('application tokens of an operator have no operator rights, and create no tokens or sessions', async () => {
  const ofAdmin = await signedIn(url, admin.token);
  const { access_token: token } = await robot.connect(ofAdmin, { scope: 'read write merge publish admin' });
  const client = new Client(url, token);
  const { body: made } = await admin.post('/v1/users', { email: 'made@acme.example', displayName: 'Made' });
  expect(made.error).toBeUndefined();
  expect((await client.post('/v1/users', { email: 'more@acme.example', displayName: 'More' })).status).toBe(403);
  expect((await client.post('/v1/user/tokens', { label: 'More' })).status).toBe(403);
  expect((await new Browser(url).submit('/app/sign-in', { token })).status).toBe(401);
});

test.each([0, 61_000])('a code works once: using it again after %i ms ends the grant', async (later) => {
  const verifier = makeVerifier();
  const code = await robot.codeFrom(browser, verifier);
  const { body: tokens } = await robot.exchange(code, verifier);
  expect(await statusOf(tokens.access_token)).toBe(200);
  advance(later);
  expect(await robot.exchange(code, verifier)).toMatchObject(rejected('invalid_grant'));
  expect(await statusOf(tokens.access_token)).toBe(401);
  expect(await robot.refresh(tokens.refresh_token)).toMatchObject(rejected('invalid_grant'));
});

test('of several requests with one code, only one can get tokens, which end', async () => {
  const own = await Application.register(url);
  const verifier = makeVerifier();
  const code = await own.codeFrom(browser, verifier);
  const grants = () => db.selectFrom('oauth_grant').where('clientId', '=', own.clientId).select('id').execute();
  expect(await grants()).toHaveLength(1);
  const answers = await Promise.all(Array.from({ length: 4 }, () => own.exchange(code, verifier)));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect(await grants()).toEqual([]);
});

test('refresh tokens are replaced: using a former one ends the grant', async () => {
  const first = await robot.connect(browser);
  const { status, body: second } = await robot.refresh(first.refresh_token);
  expect([status, second.scope, second.refresh_token === first.refresh_token]).toEqual([200, 'read propose', false]);
  expect((await robot.refresh(second.refresh_token, { scope: 'read' })).body.scope).toBe('read');
  expect(await robot.refresh(first.refresh_token)).toMatchObject(rejected('invalid_grant'));
  expect(await statusOf(second.access_token)).toBe(401);
  const events = await db.selectFrom('event').where('kind', '=', 'oauth_grant_revoked').select('ids').execute();
  expect(events.length).toBeGreaterThan(0);
});

test('the redirect must be one that is registered', async () => {
  for (const redirect of [
    'https://evil.example/callback',
    'http://127.0.0.1/other',
    'http://127.0.0.1.evil.example/callback',
    'app:/callback',
  ]) {
    const response = await browser.open(robot.addressFor(makeVerifier(), { redirect_uri: redirect }));
    const text = await response.text();
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(JSON.parse(text).error).toBe('invalid_redirect_uri');
  }
  const page = await fetch(robot.addressFor(makeVerifier(), { redirect_uri: 'https://evil.example' }), {
    headers: { accept: 'text/html' },
  });
  expect(await page.text()).toMatch(/The application cannot be connected/);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

test('a loopback redirect can have any port', async () => {
  const verifier = makeVerifier();
  const redirect_uri = 'http://127.0.0.1:49152/callback';
  const code = await robot.codeFrom(browser, verifier, { redirect_uri });
  expect((await robot.exchange(code, verifier)).status).toBe(400);
  const again = await robot.codeFrom(browser, verifier, { redirect_uri });
  expect((await robot.exchange(again, verifier, { redirect_uri })).status).toBe(200);
});

test('PKCE with S256 is required', async () => {
  const errorOf = async (parameters: Record<string, string | undefined>) =>
    (await refusal(await browser.open(robot.addressFor(makeVerifier(), parameters)))).error;
  expect(await errorOf({ code_challenge: undefined, code_challenge_method: undefined })).toBe('invalid_request');
  expect(await errorOf({ code_challenge_method: 'plain' })).toBe('invalid_request');
  const verifier = makeVerifier();
  const code = await robot.codeFrom(browser, verifier);
  expect(await robot.exchange(code, makeVerifier())).toMatchObject(rejected('invalid_grant'));
});

test('a private scheme is for the client that has registered it, and http for loopback only', async () => {
  const redirect_uri = 'org.example.robot:/callback';
  const own = await Application.register(url, { redirect_uris: [redirect_uri] });
  const verifier = makeVerifier();
  const code = await own.codeFrom(browser, verifier, { redirect_uri });
  expect((await own.exchange(code, verifier, { redirect_uri })).status).toBe(200);
  expect((await browser.open(robot.addressFor(verifier, { redirect_uri }))).status).toBe(400);
  for (const uri of ['http://robot.example/callback', 'javascript:alert(1)', 'data:text/html,x', 'not a uri']) {
    for (const application_type of ['web', 'native', undefined]) {
      const answer = await registration(url, { redirect_uris: [uri], application_type });
      expect(answer.status, uri).toBe(400);
      expect(answer.body.error).toMatch(/^invalid_(client_metadata|redirect_uri)$/);
    }
  }
});

test('registrations are bounded in size and number', async () => {
  const tooLarge = await registration(url, { client_uri: `https://example.com/${'a'.repeat(9_000)}` });
  expect(tooLarge).toMatchObject({ status: 413, body: { error: 'invalid_request' } });
  expect(await registration(url, { client_name: 'a'.repeat(101) })).toMatchObject(rejected('invalid_client_metadata'));
  expect(await registration(url, { client_name: 'a\0b' })).toMatchObject(rejected('invalid_client_metadata'));
  const redirect_uris = Array.from({ length: 11 }, (_, index) => `http://127.0.0.1/${index}`);
  expect(await registration(url, { redirect_uris })).toMatchObject(rejected('invalid_redirect_uri'));
  advance(60_000);
  const answers = [];
  for (let count = 0; count < 21; count++) answers.push(await registration(url));
  expect(answers.at(-1)).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
  advance(60_000);
});

test('a resource of another service is refused, and so is a token for one', async () => {
  const response = await browser.open(robot.addressFor(makeVerifier(), { resource: 'https://elsewhere.example/mcp' }));
  expect((await refusal(response)).error).toBe('invalid_target');
  const { access_token: token } = await robot.connect(browser, { resource: `${url}/mcp` });
  const refused = await new Client(url, token).get('/v1/user');
  expect([refused.status, refused.body.error.message]).toEqual([401, expect.stringContaining('issued for /mcp only')]);
  expect((await new Client(url, token).graphqlRaw('{ viewer { id } }')).status).toBe(401);
  expect(await statusOf(token, '/%761/user')).toBe(401);
  expect((await new McpAgent({ url, token }).call('listOrganizations', {})).items).toHaveLength(1);
  const moved = await createApp({
    config: configOf({
      WORKERS: '0',
      DATA_DIR: services.config.dataDir,
      PORT: '0',
      PUBLIC_URL: 'http://moved.example',
    }),
    databaseUrl: here.databaseUrl,
    secretKey: 'a key of tests that is long enough',
    log: services.log as Parameters<typeof createApp>[0]['log'],
    isMigrated: true,
  });
  onTestFinished(() => moved.close());
  const { access_token: ofWhole } = await robot.connect(browser);
  expect(await statusOf(ofWhole)).toBe(200);
  const there = new Client(`http://127.0.0.1:${await moved.listen()}`, ofWhole);
  expect((await there.get('/v1/user')).status).toBe(401);
  const own = new Client(there.url, editor.token);
  expect((await own.get('/v1/user')).status).toBe(200);
});

test('a person lists and revokes grants on both transports and at the account, at once and elsewhere in five seconds', async () => {
  const other = await createApp({
    config: configOf({ WORKERS: '0', DATA_DIR: services.config.dataDir, PORT: '0', PUBLIC_URL: url }),
    databaseUrl: here.databaseUrl,
    secretKey: 'a key of tests that is long enough',
    log: services.log as Parameters<typeof createApp>[0]['log'],
    isMigrated: true,
    clock: services.clock,
  });
  onTestFinished(() => other.close());
  const otherUrl = `http://127.0.0.1:${await other.listen()}`;
  const { access_token: token } = await robot.connect(browser);
  const elsewhere = new Client(otherUrl, token);
  expect([await statusOf(token), (await elsewhere.get('/v1/user')).status]).toEqual([200, 200]);
  const [grant] = await grantsOf(editor);
  expect(grant).toMatchObject({ clientName: 'Robot', scopes: ['read', 'propose'], redirectTo: '127.0.0.1' });
  expect(grant.lastUsedAt).toEqual(expect.any(String));
  const query = '{ viewer { oauthGrants(first: 1) { nodes { id clientName scopes } } } }';
  const nodes = [{ id: grant.id, clientName: 'Robot', scopes: ['READ', 'PROPOSE'] }];
  expect((await editor.graphql(query)).viewer.oauthGrants.nodes).toEqual(nodes);
  expect(await (await browser.open('/account')).text()).toMatch(/Connected applications.*Robot/s);
  expect((await admin.delete(`/v1/user/oauth-grants/${grant.id}`)).status).toBe(204);
  expect(await statusOf(token)).toBe(200);
  expect((await editor.delete(`/v1/user/oauth-grants/${grant.id}`)).status).toBe(204);
  expect(await statusOf(token)).toBe(401);
  advance(5_000);
  expect((await elsewhere.get('/v1/user')).status).toBe(401);

  const next = await robot.connect(browser);
  const [{ id: oauthGrantId }] = await grantsOf(editor);
  const { deletedId } = await editor.mutate('revokeOAuthGrant', { oauthGrantId }, 'deletedId');
  expect([deletedId, await statusOf(next.access_token)]).toEqual([oauthGrantId, 401]);
  const last = await robot.connect(browser);
  const [{ id }] = await grantsOf(editor);
  expect((await browser.submit('/account/grants/revoke', { oauthGrantId: id })).status).toBe(303);
  expect(await statusOf(last.access_token)).toBe(401);
});

test('a client revokes and inspects its own tokens only', async () => {
  const other = await Application.register(url);
  const { access_token: token, refresh_token } = await robot.connect(browser);
  expect((await robot.post('introspect', { token })).body).toMatchObject({
    active: true,
    scope: 'read propose',
    aud: url,
  });
  expect((await other.post('introspect', { token })).body).toEqual({ active: false });
  expect((await other.post('revoke', { token: refresh_token })).status).toBe(200);
  expect(await statusOf(token)).toBe(200);
  expect((await robot.post('revoke', { token: refresh_token })).status).toBe(200);
  expect(await statusOf(token)).toBe(401);
});

test('consent needs a session that proves the account, and a form of the page', async () => {
  const address = robot.addressFor(makeVerifier());
  const nobody = new Browser(url);
  const first = await questionAt(nobody, address);
  const signIn = first.page.headers.get('location') ?? '';
  expect([first.page.status, signIn]).toEqual([303, `/account?next=${encodeURIComponent(first.path)}`]);
  expect(await (await nobody.open(signIn)).text()).toContain(`name="next" value="${first.path}"`);
  const back = await nobody.submit('/app/sign-in', { token: editor.token ?? '', next: first.path });
  expect(back.headers.get('location')).toBe(first.path);

  const { body } = await editor.post('/v1/user/tokens', { label: 'Restricted', scopes: ['admin'] });
  const restricted = await signedIn(url, body.secret);
  const asked = await questionAt(restricted, address);
  expect(asked.page.status).toBe(403);
  const refused = await restricted.submit(asked.path, { account: editor.userId, decision: 'allow' });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('cannot connect applications')]);

  const samlProviderId = newId('saml');
  await db.insertInto('saml_provider').values({ id: samlProviderId, organizationId, label: 'Acme' }).execute();
  const bySso = await signedIn(url, here.reader.token);
  await db
    .updateTable('session')
    .set({ samlProviderId, apiTokenId: null })
    .where('userId', '=', here.reader.userId)
    .execute();
  expect((await questionAt(bySso, address)).page.status).toBe(200);

  const own = await questionAt(browser, address);
  const foreign = await browser.submit(own.path, { account: own.account, decision: 'allow' }, 'https://evil.example');
  expect(foreign.status).toBe(403);
  const another = await browser.submit(own.path, { account: admin.userId, decision: 'allow' });
  expect([another.status, await another.text()]).toEqual([200, expect.stringContaining('Connect Robot')]);
  const stolen = await (await signedIn(url, admin.token)).open(own.path);
  expect([stolen.status, await stolen.text()]).toEqual([400, expect.stringContaining('started in another browser')]);
});

test('metadata is found at the paths of RFC 8414 and 9728, and 404 elsewhere is JSON', async () => {
  const json = async (path: string) => (await anonymous.get(path)).body;
  const server = await json('/.well-known/oauth-authorization-server');
  expect(server).toMatchObject({
    issuer: url,
    token_endpoint: `${url}/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
  });
  for (const api of ['/v1', '/graphql', '/mcp']) {
    expect(await json(`/.well-known/oauth-authorization-server${api}`)).toEqual(server);
    expect(await json(`/.well-known/oauth-protected-resource${api}`)).toMatchObject({
      resource: `${url}${api}`,
      authorization_servers: [url],
    });
  }
  expect(await json('/.well-known/oauth-protected-resource')).toMatchObject({ resource: url });
  const { status, headers } = await anonymous.get('/.well-known/oauth-authorization-server/elsewhere');
  expect([status, headers.get('content-type')]).toEqual([404, expect.stringContaining('application/json')]);
  for (const path of ['/v1/user', '/graphql?query={viewer{id}}']) {
    const answer = await anonymous.send('GET', path, undefined, { authorization: 'Bearer none' });
    const api = path.startsWith('/v1') ? '/v1' : '/graphql';
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${url}/.well-known/oauth-protected-resource${api}"`,
    );
  }
});

test('an application that asks wrongly is not reached without the person', async () => {
  const evil = await Application.register(url, { redirect_uris: ['https://evil.example/login'] });
  const asked = { redirect_uri: 'https://evil.example/login' };
  for (const wrong of [{ prompt: 'none' }, { code_challenge: undefined }, { resource: 'https://elsewhere.example' }]) {
    const response = await browser.open(evil.addressFor(makeVerifier(), { ...asked, ...wrong }));
    expect(await refusal(response)).toMatchObject({ status: 400, redirectUri: 'https://evil.example/login' });
  }
});

test('schemes of other programs cannot be registered', async () => {
  for (const uri of ['mailto:a', 'ms-msdt:/x', 'intent:/x', 'robot:/callback'])
    expect(await registration(url, { redirect_uris: [uri] })).toMatchObject({ status: 400 });
  expect((await registration(url, { redirect_uris: ['cursor://anysphere/callback'] })).status).toBe(201);
});

test('the host in a request does not decide where the browser goes', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', accept: 'text/html' };
  const asked = await fetch(robot.addressFor(makeVerifier()), { headers, redirect: 'manual' });
  expect(asked.headers.get('location')).toMatch(/^\/account\/authorize\//);
  const broken = { 'x-forwarded-host': '[', accept: 'text/html' };
  expect((await fetch(robot.addressFor(makeVerifier()), { headers: broken, redirect: 'manual' })).status).toBe(303);
});

test('a registered scope is no limit, so that an application can ask for more later', async () => {
  const growing = await Application.register(url, { scope: 'read comment' });
  const first = await growing.connect(browser, { scope: 'read comment' });
  const second = await growing.connect(browser, { scope: 'read comment merge' });
  expect([first.scope, second.scope]).toEqual(['read comment', 'read comment merge']);
});

test('refreshing for a wrong resource uses nothing up, and a slash at the end makes no difference', async () => {
  const first = await robot.connect(browser, { resource: `${url}/mcp` });
  const elsewhere = { resource: 'https://elsewhere.example/' };
  expect(await robot.refresh(first.refresh_token, elsewhere)).toMatchObject(rejected('invalid_target'));
  const { status, body } = await robot.refresh(first.refresh_token, { resource: `${url}/mcp/` });
  expect(status).toBe(200);
  expect((await new McpAgent({ url, token: body.access_token }).call('listOrganizations', {})).items).toHaveLength(1);
});

test('of several refreshes at once only one gets tokens, and the grant ends', async () => {
  const { refresh_token } = await robot.connect(browser);
  const answers = await Promise.all(Array.from({ length: 3 }, () => robot.refresh(refresh_token)));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  for (const { body } of answers.filter(({ status }) => status === 200))
    expect(await statusOf(body.access_token)).toBe(401);
});

test('what an application does is an event with its grant and name, and it can disconnect itself alone', async () => {
  const { access_token: token } = await robot.connect(await signedIn(url, admin.token), { scope: 'read admin' });
  const [grant] = await grantsOf(admin);
  const application = new Client(url, token);
  const { body: team } = await application.put(`/v1/orgs/${organizationId}/teams`, { title: 'Robots' });
  expect(team.error).toBeUndefined();
  const events = async (type: string) => {
    await settled(db);
    return (await admin.get(`/v1/orgs/${organizationId}/audit-events?type=${type}`)).body.items;
  };
  expect((await events('team_created'))[0].client).toEqual({
    kind: 'token',
    oauthGrantId: grant.id,
    name: 'Robot',
    address: '127.0.0.1',
  });
  const { changes } = (await events('oauth_grant_created'))[0];
  const granted = changes.find(({ setting }: { setting: string }) => setting === 'scopes');
  expect(granted.to).toBe('["read","admin"]');
  await robot.connect(await signedIn(url, admin.token));
  const [other] = await grantsOf(admin);
  expect((await application.delete(`/v1/user/oauth-grants/${other.id}`)).status).toBe(403);
  expect((await application.delete(`/v1/user/oauth-grants/${grant.id}`)).status).toBe(204);
  expect(await statusOf(token)).toBe(401);
  expect((await events('oauth_grant_revoked'))[0].ids.oauthGrantId).toBe(grant.id);
});

test('a client can be described by a document, whose host the person is told', async () => {
  const clientId = 'https://robot.example/client.json';
  const redirect_uri = 'http://127.0.0.1/callback';
  const real = services.fetch;
  let document: object = { client_id: clientId, client_name: 'Described', redirect_uris: [redirect_uri], logo_uri: 7 };
  const spy = vi.spyOn(services as { fetch: typeof real }, 'fetch').mockImplementation(async (request) => {
    expect([request.url, request.followRedirects]).toEqual([clientId, false]);
    return { url: clientId, status: 200, headers: {}, body: Readable.from([JSON.stringify(document)]) } as never;
  });
  onTestFinished(() => spy.mockRestore());
  const described = new Application(url, clientId);
  const { html } = await questionAt(browser, described.addressFor(makeVerifier()));
  expect(html).toMatch(/Connect Described\?.*described at <strong>robot\.example/s);
  expect(await described.connect(browser)).toMatchObject({ token_type: 'Bearer' });
  document = { client_id: 'https://other.example/', redirect_uris: [redirect_uri] };
  const other = await browser.open(
    new Application(url, 'https://robot.example/client.json?other').addressFor(makeVerifier()),
  );
  expect(other.status).toBe(400);
});

test('clients with a secret send it in the header or the form', async () => {
  const verifier = makeVerifier();
  for (const token_endpoint_auth_method of ['client_secret_basic', 'client_secret_post']) {
    const { body: client } = await registration(url, { token_endpoint_auth_method });
    const own = new Application(url, client.client_id);
    const given = {
      grant_type: 'authorization_code',
      code: await own.codeFrom(browser, verifier),
      code_verifier: verifier,
      redirect_uri: 'http://127.0.0.1/callback',
    };
    expect((await own.post('token', given)).status).toBe(401);
    const isBasic = token_endpoint_auth_method === 'client_secret_basic';
    const secret: Record<string, string> = isBasic
      ? {}
      : { client_id: client.client_id, client_secret: client.client_secret };
    const authorization = `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`;
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: isBasic ? { authorization } : {},
      body: new URLSearchParams({ ...given, ...secret }),
    });
    expect(response.status, await response.text()).toBe(200);
  }
});

test('pages of other origins can register, get tokens and read the challenge', async () => {
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers: { origin: 'https://app.example' } });
  expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  const asked = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  for (const path of ['/oauth/token', '/oauth/register', '/mcp']) {
    const preflight = await fetch(url + path, { method: 'OPTIONS', headers: asked });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version');
  }
});

test('metadata documents of clients are fetched from public addresses only', async () => {
  for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::1]']) {
    const client = new Application(url, `https://${host}/client.json`);
    const response = await browser.open(client.addressFor(makeVerifier()));
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_client']);
  }
});

test('bad requests are answered with the errors of the RFCs', async () => {
  const post = async (path: string, body: string, type = 'application/x-www-form-urlencoded') => {
    const response = await fetch(`${url}/oauth/${path}`, { method: 'POST', headers: { 'content-type': type }, body });
    return [response.status, (await response.json()).error];
  };
  expect(await post('token', '')).toEqual([400, 'invalid_request']);
  expect(await post('token', '{}', 'application/json')).toEqual([400, 'invalid_request']);
  expect(await post('token', 'a=1', 'text/plain')).toEqual([415, 'invalid_request']);
  expect(await post('token', `grant_type=password&client_id=${robot.clientId}`)).toEqual([
    400,
    'unsupported_grant_type',
  ]);
  expect(await post('token', 'grant_type=refresh_token&client_id=none&refresh_token=x')).toEqual([
    401,
    'invalid_client',
  ]);
  expect(await post('token', `grant_type=refresh_token&client_id=${robot.clientId}&refresh_token=%00`)).toEqual([
    400,
    'invalid_grant',
  ]);
  expect(await post('token', `client_id=a&client_id=b&grant_type=refresh_token`)).toEqual([400, 'invalid_request']);
  expect(await post('token', 'a'.repeat(100_000))).toEqual([413, 'invalid_request']);
  expect(await post('register', '{', 'application/json')).toEqual([400, 'invalid_request']);
  expect(await post('register', '[]', 'application/json')).toEqual([400, 'invalid_client_metadata']);
  expect(await post('register', '{"redirect_uris":{"a":1}}', 'application/json')).toEqual([
    400,
    'invalid_client_metadata',
  ]);
  for (const odd of [{ toString: 1, valueOf: 1 }, [null], 7])
    for (const name of [
      'redirect_uris',
      'client_name',
      'grant_types',
      'token_endpoint_auth_method',
      'id_token_signed_response_alg',
      'subject_type',
      'jwks_uri',
      'default_max_age',
      'stemma',
    ]) {
      const { status } = await registration(url, { [name]: odd });
      expect([name, status < 500]).toEqual([name, true]);
      advance(10_000);
    }
  for (const query of [
    '',
    '?client_id=%00',
    '?client_id[]=a',
    `?client_id=${robot.clientId}&client_id=b`,
    '?response_mode=form_post',
    `?client_id=${robot.clientId}&response_type=token&redirect_uri=http://127.0.0.1/callback`,
  ]) {
    const response = await browser.open(`/oauth/authorize${query}`);
    expect(response.status, query).toBe(400);
  }
  expect(
    (await browser.open(new Application(url, `https://${'a'.repeat(3_000)}`).addressFor(makeVerifier()))).status,
  ).toBe(400);
  expect((await new Browser(url).open('/oauth/authorize/unknown')).status).toBe(400);
  expect((await browser.open('/account/authorize/unknown')).status).toBe(400);
  expect((await browser.open('/oauth/nothing')).status).toBe(404);
});

test('expired records, unused clients and grants without tokens are removed', async () => {
  const idle = await Application.register(url);
  await robot.connect(browser);
  const day = 86_400_000;
  advance(20 * day);
  await robot.connect(await signedIn(url, editor.token));
  advance(15 * day);
  await removeExpiredOAuth.run(jobContext(services, 'test'), {}, { signal: new AbortController().signal } as never);
  const left = await db.selectFrom('oauth_record').select('type').execute();
  expect(left.map(({ type }) => type).sort()).toEqual(['Client', 'RefreshToken']);
  expect(await grantsOf(editor)).toHaveLength(1);
  expect((await browser.open(idle.addressFor(makeVerifier()))).status).toBe(400);
});

test('the client of the MCP SDK goes from discovery to a change request, which a person merges', async () => {
  const callback = `http://127.0.0.1:${await freePort()}/callback`;
  const store: Record<string, unknown> = {};
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: {
      client_name: 'SDK',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => store.client as never,
    saveClientInformation: (client) => {
      store.client = client;
    },
    tokens: () => store.tokens as never,
    saveTokens: (tokens) => {
      store.tokens = tokens;
    },
    redirectToAuthorization: (address) => {
      store.address = address;
    },
    saveCodeVerifier: (verifier) => {
      store.verifier = verifier;
    },
    codeVerifier: () => store.verifier as string,
  };
  const connected = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
    const client = new McpClient({ name: 'Assistant', version: '1.0.0' });
    return { transport, client, connecting: client.connect(transport) };
  };
  const first = await connected();
  await expect(first.connecting).rejects.toThrow(UnauthorizedError);
  const address = String(store.address);
  expect(new URL(address).searchParams.get('scope')).toBe('read comment propose');
  const back = await allow(await signedIn(url, editor.token), address);
  await first.transport.finishAuth(back.searchParams);
  const { client, connecting } = await connected();
  await connecting;
  onTestFinished(() => client.close());

  const { body: space } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide', empty: true });
  const call = async (name: string, given: Record<string, unknown>) => {
    const { structuredContent } = await client.callTool({ name, arguments: given });
    return (structuredContent as { data: Json }).data;
  };
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('mergeChangeRequest');
  const { id } = await call('createChangeRequest', { spaceId: space.id, subject: 'A page of buffers' });
  const changes = [{ title: 'Buffers', document: { markdown: 'A buffer has parts.' } }];
  await call('insertPage', { spaceId: space.id, changeRequestId: id, changes });
  expect(await call('getMergeability', { spaceId: space.id, changeRequestId: id })).toMatchObject({
    conflictsCount: 0,
  });
  const { body } = await admin.post(`/v1/spaces/${space.id}/change-requests/${id}/merge`);
  expect(body.result).toBe('merge');
  expect((await call('listPages', { spaceId: space.id })).items).toMatchObject([{ title: 'Buffers' }]);

  const token = () => (store.tokens as { access_token: string }).access_token;
  const former = token();
  expect(await auth(provider, { serverUrl: `${url}/mcp` })).toBe('AUTHORIZED');
  expect(token()).not.toBe(former);
});
