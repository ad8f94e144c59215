import { expect, test } from 'vitest';
import { Browser } from '../sso/browser.ts';
import { makeCredentials } from '../sso/certificate.ts';
import { ask, followUntil, oidcWorld, prove, userIn } from './arrange.ts';

const made = await oidcWorld({ defaultRole: 'edit' });
const { app, admin, reader, eventsBy, url, organizationId, otherOrganizationId, advance } = made;
const { op, providerId, path, startUrl, redirectUrl, signedIn } = made;
const { db } = app.services;

const person = (sub: string, email = `${sub}@acme.example`) => ({ sub, email, email_verified: true, name: sub });

test('a person signs in at the provider and becomes a member with the default role', async () => {
  op.signIn({ ...person('ada'), name: 'Ada' });
  const browser = new Browser(url);
  const page = await browser.follow(await browser.open(startUrl));
  expect([page.status, page.url]).toEqual([200, `${url}/account`]);
  expect(await page.text()).toMatch(/<h1>Ada<\/h1>.*ada@acme\.example.*SSO of Acme/s);
  const { data } = await ask(browser, url, '{ viewer { id email organizations { nodes { id } } } }');
  expect(data.viewer).toMatchObject({ email: 'ada@acme.example', organizations: { nodes: [{ id: organizationId }] } });
  const member = await db.selectFrom('membership').where('userId', '=', data.viewer.id).selectAll().execute();
  expect(member).toMatchObject([
    { organizationId, role: 'edit', roleProviderId: providerId, isSso: true, email: 'ada@acme.example' },
  ]);
  const user = await db.selectFrom('user').where('id', '=', data.viewer.id).selectAll().executeTakeFirstOrThrow();
  expect(user.email).toBeNull();
});

test('the request has PKCE with S256, a state and a nonce, and no response is accepted twice', async () => {
  op.signIn(person('bob'));
  const browser = new Browser(url);
  const started = await browser.open(startUrl);
  const request = new URL(started.headers.get('location') ?? '').searchParams;
  expect(Object.fromEntries(request)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    redirect_uri: redirectUrl,
  });
  const callback = await followUntil(browser, started.headers.get('location') ?? '', redirectUrl);
  const page = await browser.follow(await browser.open(callback));
  expect(page.url).toBe(`${url}/account`);
  const again = await browser.open(callback);
  expect([again.status, await again.text()]).toEqual([403, expect.stringContaining('was already completed')]);
  expect(await userIn(browser, url)).toBeDefined();
});

test('a second sign-in is of the same account, also with another address', async () => {
  const first = await userIn(await signedIn(person('carol')), url);
  const second = await userIn(await signedIn(person('carol', 'married@acme.example')), url);
  expect(second).toBe(first);
  const member = await db
    .selectFrom('membership')
    .where('userId', '=', first ?? '')
    .select('email')
    .execute();
  expect(member).toEqual([{ email: 'married@acme.example' }]);
});

test('the address of a verified account does not sign in to it: the account is proved, or another is used', async () => {
  op.signIn(person('reader', 'reader@acme.example'));
  const browser = new Browser(url);
  const page = await browser.follow(await browser.open(startUrl));
  const html = await page.text();
  expect(html).toContain('Is this your account?');
  expect(await userIn(browser, url)).toBeUndefined();
  expect((await prove(browser, html, { proof: 'token', token: admin.token ?? '' })).status).toBe(403);
  expect((await prove(browser, html, { proof: 'token', token: reader.token ?? '' })).status).toBe(303);
  expect(await userIn(browser, url)).toBe(reader.userId);
  const linked = (await eventsBy('type=sso_identity_linked')).at(-1);
  expect(linked?.ids).toEqual({ userId: reader.userId, oidcProviderId: providerId });
  expect(await userIn(await signedIn(person('reader', 'reader@acme.example')), url)).toBe(reader.userId);
});

test('a subject that looks like another one is another person', async () => {
  const latin = await userIn(await signedIn(person('alice')), url);
  const cyrillic = await userIn(await signedIn({ ...person('alicе'), email: 'alice2@acme.example' }), url);
  expect(cyrillic).toBeDefined();
  expect(cyrillic).not.toBe(latin);
});

test.each([
  ['an address that the provider calls unverified', { email_verified: false }, 'is not verified'],
  ['the same as a text', { email_verified: 'false' }, 'is not verified'],
  ['no address', { email: undefined }, 'did not send the claim "email"'],
  ['an address with a letter that looks like another', { email: 'admin@аcme.example' }, 'is not an email address'],
  ['an address that is none', { email: 'admin' }, 'is not an email address'],
])('a person with %s is refused with a page that says so', async (_what, claims, reason) => {
  op.signIn({ ...person('refused'), ...claims } as never); // without `email`
  const browser = new Browser(url);
  const page = await browser.follow(await browser.open(startUrl));
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining(reason)]);
  expect(await userIn(browser, url)).toBeUndefined();
});

test('a response in another browser than the one that started the sign-in is refused', async () => {
  op.signIn(person('mallory'));
  const attacker = new Browser(url);
  const callback = await followUntil(attacker, startUrl, redirectUrl);
  const victim = new Browser(url);
  await victim.open(startUrl);
  for (const browser of [victim, new Browser(url)]) {
    const page = await browser.open(callback);
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('not started in this browser')]);
    expect(await userIn(browser, url)).toBeUndefined();
  }
});

test('a sign-in that took more than ten minutes is refused', async () => {
  op.signIn(person('slow'));
  const browser = new Browser(url);
  const callback = await followUntil(browser, startUrl, redirectUrl);
  await db
    .updateTable('saml_request')
    .set({ expiresAt: new Date(Date.now() - 1_000).toISOString() })
    .where('id', '=', new URL(callback).searchParams.get('state') ?? '')
    .execute();
  const page = await browser.open(callback);
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('took too long')]);
});

test('a code that another challenge was sent for is refused', async () => {
  op.signIn(person('swapped'));
  const browser = new Browser(url);
  const mine = await followUntil(browser, startUrl, redirectUrl);
  const other = await followUntil(browser, startUrl, redirectUrl);
  const mixed = new URL(other);
  mixed.searchParams.set('code', new URL(mine).searchParams.get('code') ?? '');
  const page = await browser.open(mixed.href);
  expect([page.status, await page.text()]).toEqual([
    403,
    expect.stringContaining('refused this service: invalid_grant'),
  ]);
});

test('an error of the provider is shown to the browser that started the sign-in, as text', async () => {
  const browser = new Browser(url);
  const { searchParams } = new URL((await browser.open(startUrl)).headers.get('location') ?? '');
  const query = (state: string) =>
    new URLSearchParams({ error: 'access_denied', error_description: '<b>No</b>', state, iss: op.issuer });
  const page = await browser.open(`${redirectUrl}?${query(searchParams.get('state') ?? '')}`);
  expect([page.status, await page.text()]).toEqual([
    403,
    expect.stringContaining('access_denied &lt;b&gt;No&lt;/b&gt;'),
  ]);
  const planted = await browser.open(`${redirectUrl}?${query('invented')}`);
  expect(await planted.text()).not.toContain('No&lt;/b&gt;');
});

test('a disabled member is refused', async () => {
  const userId = await userIn(await signedIn(person('disabled')), url);
  await db
    .updateTable('membership')
    .set({ isDisabled: true })
    .where('userId', '=', userId ?? '')
    .execute();
  const browser = new Browser(url);
  const page = await browser.follow(await browser.open(startUrl));
  expect([page.status, await page.text()]).toEqual([
    403,
    expect.stringContaining('membership in this organization is'),
  ]);
});

test('a session, and a token that is made in it, reach the organization of the provider only', async () => {
  await db
    .insertInto('membership')
    .values({
      id: 'member_01h455vb4pex5vsknk084sn02r',
      organizationId: otherOrganizationId,
      userId: admin.userId,
      role: 'admin',
    })
    .execute();
  const browser = await signedIn(person('admin', 'admin@acme.example'), admin.token);
  const { data } = await ask(browser, url, '{ viewer { id organizations { nodes { id } } } }');
  expect(data.viewer).toEqual({ id: admin.userId, organizations: { nodes: [{ id: organizationId }] } });
  const other = await ask(browser, url, `{ organization(id: "${otherOrganizationId}") { title } }`);
  expect(other.data.organization).toBeNull();
  const started = (await eventsBy('type=session_started')).at(-1);
  const { data: audit } = await ask(
    browser,
    url,
    `{ organization(id: "${organizationId}") { auditEvents(last: 100) { nodes { id client { samlProviderId oidcProviderId } } } } }`,
  );
  const event = audit.organization.auditEvents.nodes.find(({ id }: { id: string }) => id === started?.id);
  expect(event?.client).toEqual({ samlProviderId: null, oidcProviderId: providerId });
});

test('the path to open afterwards is of this service, and the provider is on the sign-in page', async () => {
  op.signIn(person('returning'));
  for (const [returnTo, end] of [
    ['/account?here', '/account?here'],
    ['https://evil.example/', '/account'],
    ['//evil.example/', '/account'],
  ] as const) {
    const browser = new Browser(url);
    const page = await browser.follow(await browser.open(`${startUrl}?returnTo=${encodeURIComponent(returnTo)}`));
    expect(page.url).toBe(`${url}${end}`);
  }
  const page = await new Browser(url).open(`/account?organization=${organizationId}`);
  expect(await page.text()).toContain(`href="/sso/oidc/${providerId}/start">Sign in with Keycloak</a>`);
  const { ssoLogins } = await admin.graphql(`{ ssoLogins(organizationId: "${organizationId}") { id label startUrl } }`);
  expect(ssoLogins).toEqual([{ id: `login:${providerId}`, label: 'Keycloak', startUrl }]);
});

test('refused sign-ins are events, and the reason is not among them', async () => {
  const refused = (await eventsBy('type=oidc_sign_in_refused')).at(-1);
  expect(refused?.ids).toEqual({ oidcProviderId: providerId });
});

test('a provider that is deactivated during a sign-in ends it, and is gone from all pages', async () => {
  op.signIn(person('late'));
  const browser = new Browser(url);
  const callback = await followUntil(browser, startUrl, redirectUrl);
  const member = await signedIn(person('member'));
  const accepted = new Browser(url);
  const finish =
    (await accepted.open(await followUntil(accepted, startUrl, redirectUrl))).headers.get('location') ?? '';
  expect((await admin.patch(path, { clientSecret: null })).body.status).toBe('pending');
  expect(await userIn(member, url)).toBeUndefined();
  expect((await accepted.open(finish)).status).toBe(403);
  expect((await browser.open(callback)).status).toBe(404);
  expect((await browser.open(startUrl)).status).toBe(404);
  expect((await admin.get(`/v1/orgs/${organizationId}/sso`)).body.items).toEqual([]);
  expect((await admin.patch(path, { clientSecret: op.clientSecret })).body.status).toBe('active');
  expect(await userIn(await signedIn(person('late')), url)).toBeDefined();
});

test('a sign-in is not finished with a provider that is no longer active', async () => {
  op.signIn(person('late'));
  const browser = new Browser(url);
  const finish = (await browser.open(await followUntil(browser, startUrl, redirectUrl))).headers.get('location') ?? '';
  const set = (clientId: string | null) =>
    db.updateTable('saml_provider').set({ clientId }).where('id', '=', providerId).execute();
  await set(null);
  const page = await browser.open(finish);
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('no longer active')]);
  expect(await userIn(browser, url)).toBeUndefined();
  await set(op.clientId);
});

test('another client or issuer ends the sessions that were made with the former one', async () => {
  for (const change of [{ clientID: 'other' }, { issuer: 'https://other.example', clientSecret: 'other' }]) {
    const browser = await signedIn(person('moved'));
    expect(await userIn(browser, url)).toBeDefined();
    expect((await admin.patch(path, { label: 'Keycloak' })).status).toBe(200);
    expect(await userIn(browser, url)).toBeDefined();
    expect((await admin.patch(path, change)).status).toBe(200);
    expect(await userIn(browser, url)).toBeUndefined();
    const former = { issuer: op.issuer, clientID: op.clientId, clientSecret: op.clientSecret };
    expect((await admin.patch(path, former)).status).toBe(200);
  }
});

test('refused sign-ins of both protocols are recorded thirty times a minute together', async () => {
  const { body: saml } = await admin.post(`/v1/orgs/${organizationId}/saml`, {
    ...{ label: 'SAML', entityID: 'https://idp.example.com', ssoURL: 'https://idp.example.com/sso' },
    certificate: makeCredentials().certificate,
  });
  advance(120_000);
  for (let count = 0; count < 20; count++) {
    await fetch(`${url}/sso/saml/${saml.id}/acs`, { method: 'POST', body: new URLSearchParams({ SAMLResponse: 'x' }) });
    await fetch(`${redirectUrl}?state=x&code=x`);
    // Other events of the organization make no room for more.
    await admin.patch(`/v1/orgs/${organizationId}/saml/${saml.id}`, { label: `SAML ${count}` });
  }
  const events = await db
    .selectFrom('event')
    .where('organizationId', '=', organizationId)
    .select(['kind', 'createdAt'])
    .execute();
  const since = Date.now() + 60_000;
  const refused = events.filter(
    ({ kind, createdAt }) => kind.endsWith('sign_in_refused') && Date.parse(createdAt) > since,
  );
  expect(refused.map(({ kind }) => kind).sort()).toEqual([
    ...Array(15).fill('oidc_sign_in_refused'),
    ...Array(15).fill('saml_sign_in_refused'),
  ]);
  advance(-120_000);
  expect((await admin.delete(`/v1/orgs/${organizationId}/saml/${saml.id}`)).status).toBe(204);
});

test('sessions and tokens of a provider end with it, and so do the roles that it gave', async () => {
  const browser = await signedIn(person('leaving'));
  const userId = (await userIn(browser, url)) ?? '';
  expect((await admin.delete(path)).status).toBe(204);
  advance(6_000);
  expect(await userIn(browser, url)).toBeUndefined();
  const member = await db
    .selectFrom('membership')
    .where('userId', '=', userId)
    .select(['role', 'roleProviderId'])
    .execute();
  expect(member).toEqual([{ role: null, roleProviderId: null }]);
  expect(
    await db.selectFrom('sso_identity').where('samlProviderId', '=', providerId).select('subject').execute(),
  ).toEqual([]);
});
