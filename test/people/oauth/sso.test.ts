import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { settled } from '../../settled.ts';
import { oidcWorld } from '../oidc/arrange.ts';
import { now } from '../oidc/openid-provider.ts';
import { signIn as signInAt, ssoWorld } from '../sso/arrange.ts';
import { Browser } from '../sso/browser.ts';
import { Application, allow, type Json, makeVerifier, questionAt, signedIn as signedInByToken } from './application.ts';

// Applications that are connected in SSO sessions: they are for the organization of the provider, and end as access
// tokens do that were created in such sessions.

const made = await ssoWorld({ defaultRole: 'edit' });
const { app, url, admin, reader, outsider, organizationId, otherOrganizationId, signedIn, advance } = made;
const { db } = app.services;
const robot = await Application.register(url);
const ALL = { scope: 'read comment propose write merge publish admin' };

/** An application that a person has connected in an SSO session. */
async function connectedBy(browser: Browser): Promise<{ client: Client; refresh: string; userId: string }> {
  const { access_token: token, refresh_token: refresh } = await robot.connect(browser, ALL);
  const client = new Client(url, token);
  return { client, refresh, userId: (await client.get('/v1/user')).body.id };
}

const grantsOf = async (client: Client) => (await client.get('/v1/user/oauth-grants')).body.items;

const send = (browser: Browser, method: string, path: string) =>
  new Client(url).send(method, path, undefined, {
    cookie: `stemma_session=${browser.cookie('stemma_session')}`,
    origin: url,
  });

const requireSso = (sso: boolean) =>
  db.updateTable('organization').set({ sso }).where('id', '=', organizationId).execute();

test('a person who signs in with SSO connects an application for that organization only', async () => {
  const browser = await signedIn('grace@acme.example', 'Grace');
  const { html } = await questionAt(browser, robot.addressFor(makeVerifier()));
  expect(html).toMatch(/It reaches <strong>Acme<\/strong> only, as you have signed in with its SSO/);
  expect(html).not.toContain(`name="reach_${organizationId}"`);
  expect(html).not.toContain('id="reach_some"');
  const { client, userId } = await connectedBy(browser);
  await db
    .insertInto('membership')
    .values({ id: `member_${userId}`, organizationId: otherOrganizationId, userId, role: 'admin' })
    .execute();
  expect((await client.get('/v1/orgs')).body.items).toMatchObject([{ id: organizationId }]);
  expect((await client.get(`/v1/orgs/${otherOrganizationId}`)).status).toBe(404);
  const { viewer, node } = await client.graphql(
    'query ($id: ID!) { viewer { organizations(first: 5) { nodes { id } } } node(id: $id) { id } }',
    { id: otherOrganizationId },
  );
  expect([viewer.organizations.nodes, node]).toEqual([[{ id: organizationId }], null]);
  expect((await client.post('/v1/orgs', { title: 'Own' })).status).toBe(403);
  expect((await client.post('/v1/user/tokens', { label: 'More' })).status).toBe(403);
  expect((await grantsOf(client)).map(({ organizationIds }: Json) => organizationIds)).toContainEqual([organizationId]);
  expect(await (await browser.open('/account')).text()).toMatch(/in Acme only\. Connected with SSO/);
});

test('in a session with SSO, the application is limited to spaces of that organization', async () => {
  const space = async (client: Client, organization: string) =>
    (await client.post(`/v1/orgs/${organization}/spaces`, { title: 'Valves' })).body.id;
  const [inside, beside, outside] = [
    await space(admin, organizationId),
    await space(admin, organizationId),
    await space(outsider, otherOrganizationId),
  ];
  const browser = await signedIn('hedy@acme.example', 'Hedy');
  const { html, path, account, sso } = await questionAt(browser, robot.addressFor(makeVerifier()));
  expect(html).toContain(`name="in_${inside}"`);
  const form = { account, sso, decision: 'allow', reach: 'spaces' };
  const refused = await browser.submit(path, { ...form, [`in_${outside}`]: 'yes' });
  expect(await refused.text()).toContain('You no longer see some of the spaces');
  const verifier = makeVerifier();
  const back = await allow(browser, robot.addressFor(verifier), { reach: 'spaces', [`in_${inside}`]: 'yes' });
  const { body } = await robot.exchange(back.searchParams.get('code') ?? '', verifier);
  const client = new Client(url, body.access_token);
  await requireSso(true);
  expect((await client.get(`/v1/spaces/${inside}`)).status).toBe(200);
  expect((await client.get(`/v1/spaces/${beside}`)).status).toBe(404);
  await requireSso(false);
  const [grant, ...others] = await grantsOf(client);
  expect([grant.organizationIds, grant.spaceIds, others]).toEqual([[organizationId], [inside], []]);
  expect((await client.get('/v1/user/tokens')).body.items).toEqual([]);
  expect((await client.get(`/v1/orgs/${organizationId}/teams`)).status).toBe(404);
});

test('an organization that requires SSO accepts such applications, and no others', async () => {
  const bySso = await connectedBy(await signedIn('ada@acme.example', 'Ada'));
  const { access_token: token } = await robot.connect(await signedInByToken(url, reader.token), ALL);
  const other = new Client(url, token);
  const path = `/v1/orgs/${organizationId}`;
  await requireSso(true);
  expect((await bySso.client.get(path)).status).toBe(200);
  expect((await other.get(path)).status).toBe(403);
  const { body } = await robot.refresh(bySso.refresh);
  expect((await new Client(url, body.access_token).get(path)).status).toBe(200);
  await requireSso(false);
  expect((await other.get(path)).status).toBe(200);
  expect((await bySso.client.get(path)).status).toBe(200);
});

test('signing out does not end it, and a disabled membership does', async () => {
  const browser = await signedIn('dora@acme.example', 'Dora');
  const { client, userId } = await connectedBy(browser);
  const path = `/v1/orgs/${organizationId}`;
  expect((await browser.submit('/account/sign-out', {})).status).toBe(303);
  expect((await client.get(path)).status).toBe(200);
  await admin.patch(`${path}/members/${userId}`, { disabled: true });
  expect((await client.get(path)).status).toBe(404);
});

test('a session sees and ends the applications of its own provider, and the account itself all', async () => {
  const browser = await signedIn('reader@acme.example', 'Reader', reader.token);
  const own = await robot.connect(await signedInByToken(url, reader.token), ALL);
  const bySso = await connectedBy(browser);
  expect(bySso.userId).toBe(reader.userId);
  const [withSso, without, ...others] = await grantsOf(reader);
  expect([withSso.organizationIds, without.organizationIds, others.length > 0]).toEqual([
    [organizationId],
    undefined,
    true,
  ]);
  const listed = (await send(browser, 'GET', '/v1/user/oauth-grants')).body.items;
  expect(listed.map(({ id }: Json) => id)).toEqual([withSso.id]);
  expect((await send(browser, 'DELETE', `/v1/user/oauth-grants/${without.id}`)).status).toBe(204);
  expect((await new Client(url, own.access_token).get('/v1/user')).status).toBe(200);
  expect((await send(browser, 'DELETE', `/v1/user/oauth-grants/${withSso.id}`)).status).toBe(204);
  expect((await bySso.client.get('/v1/user')).status).toBe(401);
  const again = await connectedBy(browser);
  const [{ id: oauthGrantId }] = await grantsOf(reader);
  expect((await reader.mutate('revokeOAuthGrant', { oauthGrantId }, 'deletedId')).deletedId).toBe(oauthGrantId);
  expect((await again.client.get('/v1/user')).status).toBe(401);
});

test('its events are of the organization alone, with the provider', async () => {
  const { userId } = await connectedBy(await signedIn('eve@acme.example', 'Eve'));
  const events = await db
    .selectFrom('event')
    .where('kind', '=', 'oauth_grant_created')
    .select(['organizationId', 'ids', 'client'])
    .execute();
  const own = events.filter(({ ids }) => (ids as Json).userId === userId);
  expect(own).toMatchObject([{ organizationId, client: { kind: 'session', samlProviderId: made.providerId } }]);
});

test('a token that was created with SSO, or a session that it started, connects none', async () => {
  const browser = await signedIn('fay@acme.example', 'Fay');
  const created = await browser.submit('/account/tokens', { label: 'CI', days: '' });
  const token = /<code>(stemma_[\w-]+)<\/code>/.exec(await created.text())?.[1];
  const { page, html } = await questionAt(await signedInByToken(url, token), robot.addressFor(makeVerifier()));
  expect([page.status, html]).toEqual([403, expect.stringContaining('cannot connect applications')]);
});

test('a browser without a session comes back to the question after the sign-in with SSO', async () => {
  const nobody = new Browser(url);
  const { page, path } = await questionAt(nobody, robot.addressFor(makeVerifier()));
  const signIn = await nobody.open(page.headers.get('location') ?? '');
  expect(await signIn.text()).toContain(`<input type="hidden" name="next" value="${path}">\n<label><span>Organization`);
  const query = new URLSearchParams({ next: path, organization: organizationId });
  const chosen = await (await nobody.open(`/account?${query}`)).text();
  const href = /href="(\/sso\/saml\/[^"]+)">Sign in with Okta/.exec(chosen)?.[1] ?? '';
  made.idp.signIn('grace@acme.example', 'Grace');
  const back = await signInAt(nobody, href);
  expect(await back.text()).toContain('Connect Robot');
});

test('it ends when the provider is connected to another identity provider', async () => {
  const browser = await signedIn('moved@acme.example', 'Moved');
  const { client, refresh } = await connectedBy(browser);
  const path = `/v1/orgs/${organizationId}/saml/${made.providerId}`;
  expect((await admin.patch(path, { entityID: 'https://other.example/metadata' })).status).toBe(200);
  expect((await client.get('/v1/user')).status).toBe(401);
  expect((await robot.refresh(refresh)).status).toBe(400);
  expect((await admin.patch(path, { entityID: made.idp.entityId })).status).toBe(200);
});

test('it ends with the provider', async () => {
  const { client, refresh, userId } = await connectedBy(await signedIn('ida@acme.example', 'Ida'));
  const { body: providers } = await admin.get(`/v1/orgs/${organizationId}/saml`);
  expect(providers.items).toHaveLength(1);
  expect((await admin.delete(`/v1/orgs/${organizationId}/saml/${made.providerId}`)).status).toBe(204);
  advance(5_000);
  expect((await client.get('/v1/user')).status).toBe(401);
  expect(await robot.refresh(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await db.selectFrom('oauth_grant').where('userId', '=', userId).select('id').execute()).toEqual([]);
  await settled(db);
  const { body } = await admin.get(`/v1/orgs/${organizationId}/audit-events?type=oauth_grant_revoked&limit=100`);
  expect(body.items.map(({ ids }: Json) => ids.userId)).toContain(userId);
  expect(
    (await outsider.get(`/v1/orgs/${otherOrganizationId}/audit-events?type=oauth_grant_revoked`)).body.items,
  ).toEqual([]);
});

test('an OIDC provider is like a SAML provider, and a logout token ends sessions, not applications', async () => {
  const oidc = await oidcWorld({ defaultRole: 'edit' });
  const application = await Application.register(oidc.url);
  const person = { sub: 'hal', email: 'hal@acme.example', email_verified: true, name: 'Hal' };
  const browser = await oidc.signedIn(person);
  const { access_token: token } = await application.connect(browser);
  const client = new Client(oidc.url, token);
  const { issuer: iss, clientId: aud } = oidc.op;
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { iss, aud, iat: now(), exp: now() + 120, jti: randomUUID(), events, sub: person.sub };
  const body = new URLSearchParams({ logout_token: await oidc.op.sign(claims, { typ: 'logout+jwt' }) });
  expect((await fetch(oidc.logoutUrl, { method: 'POST', body })).status).toBe(200);
  expect(await oidc.app.services.db.selectFrom('session').selectAll().execute()).toEqual([]);
  oidc.advance(5_000);
  expect((await client.get('/v1/orgs')).body.items).toMatchObject([{ id: oidc.organizationId }]);
  await settled(oidc.app.services.db);
  const { body: audited } = await oidc.admin.get(
    `/v1/orgs/${oidc.organizationId}/audit-events?type=oauth_grant_created&limit=1`,
  );
  expect(audited.items[0].client).toMatchObject({ kind: 'session', oidcProviderId: oidc.providerId });
  expect((await oidc.admin.delete(oidc.path)).status).toBe(204);
  oidc.advance(5_000);
  expect((await client.get('/v1/orgs')).status).toBe(401);
});
