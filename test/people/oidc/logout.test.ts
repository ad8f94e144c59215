import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashSession } from '../../../src/platform/access/credentials.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Browser } from '../sso/browser.ts';
import { formIn } from '../sso/identity-provider.ts';
import { followUntil, oidcWorld, userIn } from './arrange.ts';
import { makeKeys, now, signWithSecret } from './openid-provider.ts';

const made = await oidcWorld({ defaultRole: 'edit' });
const { app, admin, url, organizationId, otherOrganizationId, outsider, advance } = made;
const { op, providerId, startUrl, redirectUrl, logoutUrl, signedIn, eventsBy } = made;
const { db } = app.services;

const person = (sub: string) => ({ sub, email: `${sub}@acme.example`, email_verified: true, name: sub });

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** Claims of a logout token as they should be, with changes. */
const claims = (changes: Record<string, unknown> = {}) => ({
  ...{ iss: op.issuer, aud: op.clientId, iat: now(), exp: now() + 120, jti: randomUUID(), events: EVENTS },
  ...changes,
});

const send = (token: string, address = logoutUrl) =>
  fetch(address, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });

const sidOf = async (userId: string | undefined) =>
  (
    await db
      .selectFrom('session')
      .where('userId', '=', userId ?? '')
      .orderBy('createdAt', 'desc')
      .select('providerSid')
      .executeTakeFirst()
  )?.providerSid;

test('signing out at the provider ends the session here within five seconds, and only that', async () => {
  const browser = await signedIn(person('ada'));
  const elsewhere = await signedIn(person('ada'));
  const other = await signedIn(person('bob'));
  const userId = await userIn(browser, url);
  const page = await browser.open(`${op.issuer}/session/end`);
  const { action, fields } = formIn(await page.text());
  await browser.submit(action, { ...fields, logout: 'yes' });
  // The provider sends the token while it answers.
  await expect
    .poll(() =>
      db
        .selectFrom('session')
        .where('userId', '=', userId ?? '')
        .select('userId')
        .execute(),
    )
    .toHaveLength(1);
  advance(6_000);
  expect(await userIn(browser, url)).toBeUndefined();
  expect(await userIn(elsewhere, url)).toBe(userId);
  expect(await userIn(other, url)).toBeDefined();
  expect((await eventsBy('type=session_ended')).at(-1)?.ids).toEqual({ userId });
});

test('a logout token without a session ends all sessions of the subject at this provider, and no token of the person', async () => {
  const browsers = [await signedIn(person('carol')), await signedIn(person('carol'))];
  const userId = await userIn(browsers[0] ?? new Browser(url), url);
  const created = await browsers[0]?.submit('/account/tokens', { label: 'CI', days: '30' });
  const token = /<code>(stemma_[\w-]+)<\/code>/.exec((await created?.text()) ?? '')?.[1];
  const answer = await send(await op.sign(claims({ sub: 'carol' }), { typ: 'logout+jwt' }));
  expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([200, 'no-store', '']);
  for (const browser of browsers) expect(await userIn(browser, url)).toBeUndefined();
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${url}/v1/user`, { headers })).status).toBe(200);
  expect(
    await db
      .selectFrom('session')
      .where('userId', '=', userId ?? '')
      .select('userId')
      .execute(),
  ).toEqual([]);
});

test('a logout token with a subject and a session also ends those of the subject whose session is not known', async () => {
  const [known, unknown, other] = [
    await signedIn(person('hanna')),
    await signedIn(person('hanna')),
    await signedIn(person('hanna')),
  ] as const;
  const someone = await signedIn(person('ida'));
  const hashOf = (browser: Browser) => hashSession(browser.cookie('stemma_session') ?? '');
  for (const browser of [unknown, someone])
    await db.updateTable('session').set({ providerSid: null }).where('secretHash', '=', hashOf(browser)).execute();
  const { providerSid: sid } = await db
    .selectFrom('session')
    .where('secretHash', '=', hashOf(known))
    .select('providerSid')
    .executeTakeFirstOrThrow();
  expect((await send(await op.sign(claims({ sub: 'hanna', sid })))).status).toBe(200);
  const left = async (browser: Browser) => (await userIn(browser, url)) !== undefined;
  expect([await left(known), await left(unknown), await left(other), await left(someone)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('a sign-in that is about to be finished ends with the session at the provider', async () => {
  op.signIn(person('dora'));
  const browser = new Browser(url);
  const callback = await followUntil(browser, startUrl, redirectUrl);
  const finish = (await browser.open(callback)).headers.get('location') ?? '';
  expect((await send(await op.sign(claims({ sub: 'dora' })))).status).toBe(200);
  const page = await browser.open(finish);
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('already completed')]);
});

test('a logout token works once', async () => {
  await signedIn(person('erin'));
  // Of the second before: a sign-in of the same second could be the one that has ended.
  const token = await op.sign(claims({ sub: 'erin', iat: now() - 1 }));
  expect((await send(token)).status).toBe(200);
  const browser = await signedIn(person('erin'));
  const again = await send(token);
  expect([again.status, await again.json()]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'This logout token was already used.' },
  ]);
  expect(await userIn(browser, url)).toBeDefined();
});

test('a logout token for nobody who is signed in is accepted, since the person is signed out', async () => {
  expect((await send(await op.sign(claims({ sub: 'nobody' })))).status).toBe(200);
});

const KEEPS = await signedIn(person('frank'));

test.each<[string, Record<string, unknown>, { typ?: string }?]>([
  ['of another issuer', { iss: 'https://other.example' }],
  ['for another client', { aud: 'another client' }],
  ['without a time', { iat: undefined }],
  ['that is ten minutes old', { iat: now() - 600, exp: now() + 600 }],
  ['of the future', { iat: now() + 600 }],
  ['that has expired', { exp: now() - 60 }],
  ['without an event', { events: undefined }],
  ['with another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
  ['with an event that is a text', { events: 'http://schemas.openid.net/event/backchannel-logout' }],
  ['with a nonce', { nonce: 'n' }],
  ['without an id', { jti: undefined }],
  ['with an id that is a number', { jti: 7 }],
  ['with an id that is too long', { jti: 'j'.repeat(256) }],
  ['without a subject and a session', { sub: undefined }],
  ['with a session that is no text', { sid: ['a'] }],
  ['of another type', {}, { typ: 'at+jwt' }],
])('a logout token %s is refused', async (_what, changes, header) => {
  const answer = await send(await op.sign(claims({ sub: 'frank', ...changes }), header));
  expect([answer.status, (await answer.json()).error]).toEqual([400, 'invalid_request']);
  expect(await userIn(KEEPS, url)).toBeDefined();
});

test('a logout token that the provider has not signed, and what is no token, are refused', async () => {
  const other = await makeKeys();
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = claims({ sub: 'frank' });
  for (const token of [
    await other.sign(body),
    `${encoded({ alg: 'none' })}.${encoded(body)}.`,
    await signWithSecret(body, op.clientSecret),
    'no token',
    '',
  ]) {
    expect((await send(token)).status).toBe(400);
  }
  expect((await fetch(logoutUrl, { method: 'POST' })).status).toBe(400);
  expect(await userIn(KEEPS, url)).toBeDefined();
});

test('an ID token is no logout token', async () => {
  const stolen = await op.sign({
    iss: op.issuer,
    aud: op.clientId,
    iat: now(),
    exp: now() + 120,
    sub: 'frank',
    nonce: 'n',
  });
  expect((await send(stolen)).status).toBe(400);
});

test('a provider of another organization ends no session here, with the same subject, session and issuer', async () => {
  const { body } = await outsider.post(`/v1/orgs/${otherOrganizationId}/oidc`, {
    ...{ label: 'Same', issuer: op.issuer, clientID: op.clientId, clientSecret: op.clientSecret },
  });
  const sid = await sidOf(await userIn(KEEPS, url));
  expect(sid).toEqual(expect.any(String));
  const foreign = body.service.backchannelLogoutURL;
  expect((await send(await op.sign(claims({ sub: 'frank', sid })), foreign)).status).toBe(200);
  expect(await userIn(KEEPS, url)).toBeDefined();
  expect((await send(await op.sign(claims({ sid })))).status).toBe(200);
  expect(await userIn(KEEPS, url)).toBeUndefined();
});

test('without an active provider, the answer is 404', async () => {
  const token = await op.sign(claims({ sub: 'frank' }));
  expect((await send(token, logoutUrl.replace(providerId, newId('oidc')))).status).toBe(404);
  const { body } = await admin.post(`/v1/orgs/${organizationId}/oidc`, { label: 'Pending' });
  expect((await send(token, body.service.backchannelLogoutURL)).status).toBe(404);
});

test('the session of a provider has its id at the provider', async () => {
  const browser = await signedIn(person('gina'));
  const userId = await userIn(browser, url);
  const session = await db
    .selectFrom('session')
    .where('userId', '=', userId ?? '')
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(session).toMatchObject({ providerIssuer: op.issuer, providerSubject: 'gina', samlProviderId: providerId });
});
