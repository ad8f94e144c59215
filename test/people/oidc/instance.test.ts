import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Browser } from '../sso/browser.ts';
import { ask, followUntil, reachableWorld, userIn } from './arrange.ts';
import { startHostileProvider } from './hostile-provider.ts';
import { now, type Person, startOpenidProvider } from './openid-provider.ts';

const op = await startOpenidProvider();
const { app, reader, url, organizationId, advance } = await reachableWorld({
  OIDC_ISSUER: op.issuer,
  OIDC_CLIENT_ID: op.clientId,
  OIDC_CLIENT_SECRET: op.clientSecret,
  OIDC_LABEL: 'Example <ID>',
});
const { db } = app.services;
const startUrl = `${url}/sso/instance/start`;
const redirectUrl = `${url}/sso/instance/callback`;
const logoutUrl = `${url}/sso/instance/backchannel-logout`;
op.register({ redirectUrl, backchannelLogoutUrl: logoutUrl });

const person = (sub: string, email = `${sub}@acme.example`): Person => ({
  sub,
  email,
  email_verified: true,
  name: sub,
});

/** A new browser after a sign-in, and the page that it ended on. */
async function signIn(who: Person) {
  op.signIn(who);
  const browser = new Browser(url);
  return { browser, page: await browser.follow(await browser.open(startUrl)) };
}

const addressesOf = async (userId: string | undefined) =>
  (
    await db
      .selectFrom('user')
      .where('id', '=', userId ?? '')
      .select('email')
      .execute()
  ).map(({ email }) => email);

test('the provider of the service is on the sign-in page, with the path to open afterwards', async () => {
  const page = await new Browser(url).open('/account?next=%2Fapp%2Fspaces');
  expect(await page.text()).toContain(
    '<a class="button" href="/sso/instance/start?returnTo=%2Fapp%2Fspaces">Sign in with Example &lt;ID&gt;</a>',
  );
});

test('make: sign-in of a new person with the provider of the service', async () => {
  const { browser, page } = await signIn(person('ada', 'Ada@new.example'));
  expect(page.url).toBe(`${url}/account`);
  const userId = await userIn(browser, url);
  expect(await addressesOf(userId)).toEqual(['Ada@new.example']);
  const session = await db
    .selectFrom('session')
    .where('userId', '=', userId ?? '')
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(session).toMatchObject({ samlProviderId: null, providerIssuer: op.issuer, providerSubject: 'ada' });
});

test('find: sign-in with the provider of the service: the account that has verified the address, as a session of its own', async () => {
  const { browser } = await signIn(person('the reader', 'READER@acme.example'));
  const { data } = await ask(browser, url, '{ viewer { id organizations { nodes { id } } } }');
  expect(data.viewer).toEqual({ id: reader.userId, organizations: { nodes: [{ id: organizationId }] } });
  // The account can be changed, which SSO sessions of an organization cannot.
  const renamed = await ask(
    browser,
    url,
    `mutation { updateUser(input: { userId: "${reader.userId}", displayName: "Renamed" }) { user { displayName } } }`,
  );
  expect(renamed.data.updateUser.user.displayName).toBe('Renamed');
});

test('find: sign-in by a remembered subject of the provider of the service: also once the address has changed', async () => {
  const first = await userIn((await signIn(person('carol'))).browser, url);
  const second = await userIn((await signIn(person('carol', 'married@acme.example'))).browser, url);
  expect(second).toBe(first);
  expect(await addressesOf(first)).toEqual(['carol@acme.example']);
});

test('an address that was given to another person signs in to no account', async () => {
  const first = await userIn((await signIn(person('former', 'desk@acme.example'))).browser, url);
  const { browser, page } = await signIn(person('successor', 'desk@acme.example'));
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('belongs to another person')]);
  expect(await userIn(browser, url)).toBeUndefined();
  expect(first).toBeDefined();
});

test.each([
  ['an address that is not verified', { email_verified: false }],
  ['an address without a word on verification', { email_verified: undefined }],
  ['a verification that is a text', { email_verified: 'true' }],
  ['no address', { email: undefined }],
])('%s signs in to no account', async (_what, claims) => {
  const before = await db.selectFrom('user').select('id').execute();
  const { browser, page } = await signIn({ ...person('admin'), ...claims } as Person);
  expect(page.status).toBe(403);
  expect(await userIn(browser, url)).toBeUndefined();
  expect(await db.selectFrom('user').select('id').execute()).toHaveLength(before.length);
});

test('a verified word at the UserInfo endpoint says nothing about another address in the ID token', async () => {
  const hostile = await startHostileProvider();
  const { url: address } = await reachableWorld({
    ...{ OIDC_ISSUER: hostile.issuer, OIDC_CLIENT_ID: hostile.clientId, OIDC_CLIENT_SECRET: 'secret' },
  });
  const attempt = async (inToken: object, atUserInfo: object) => {
    const browser = new Browser(address);
    const started = await browser.open(`${address}/sso/instance/start`);
    const { searchParams: sent } = new URL(started.headers.get('location') ?? '');
    hostile.claims = { nonce: sent.get('nonce'), ...inToken };
    hostile.userInfo = { sub: 'eve', ...atUserInfo };
    const query = new URLSearchParams({ code: 'code', state: sent.get('state') ?? '' });
    const page = await browser.open(`${address}/sso/instance/callback?${query}`);
    return page.status === 303 ? (await ask(browser, address, '{ viewer { email } }')).data.viewer.email : page.status;
  };
  const [mine, victims] = ['eve@evil.example', 'admin@acme.example'];
  expect(await attempt({ email: victims }, { email_verified: true })).toBe(403);
  expect(await attempt({ email_verified: true }, { email: victims })).toBe(403);
  expect(await attempt({ email: victims }, { email: mine, email_verified: true })).toBe(mine);
});

test('an address that an account only claims is not that account', async () => {
  await db
    .updateTable('user')
    .set({ unverifiedEmail: 'claimed@acme.example' })
    .where('id', '=', reader.userId)
    .execute();
  const userId = await userIn((await signIn(person('claimant', 'claimed@acme.example'))).browser, url);
  expect(userId).toBeDefined();
  expect(userId).not.toBe(reader.userId);
});

test('two first sign-ins of one person at once make one account', async () => {
  op.signIn(person('twice'));
  const browsers = [new Browser(url), new Browser(url)];
  const callbacks = await Promise.all(browsers.map((browser) => followUntil(browser, startUrl, redirectUrl)));
  await Promise.all(browsers.map((browser, index) => browser.open(callbacks[index] ?? '')));
  const users = await Promise.all(browsers.map((browser) => userIn(browser, url)));
  expect(users[0]).toBeDefined();
  expect(users[1]).toBe(users[0]);
});

test('a response works once, and only in the browser that started the sign-in', async () => {
  op.signIn(person('dora'));
  const browser = new Browser(url);
  const callback = await followUntil(browser, startUrl, redirectUrl);
  expect((await new Browser(url).open(callback)).status).toBe(403);
  expect((await browser.open(callback)).status).toBe(303);
  const again = await browser.open(callback);
  expect([again.status, await again.text()]).toEqual([403, expect.stringContaining('already completed')]);
  const late = await followUntil(browser, startUrl, redirectUrl);
  await db
    .updateTable('oidc_request')
    .set({ expiresAt: new Date(0).toISOString() })
    .execute();
  expect((await browser.open(late)).status).toBe(403);
});

test('a logout token ends the sessions of its subject that were started with the provider of the service, once', async () => {
  const { browser } = await signIn(person('erin'));
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const token = await op.sign({ iss: op.issuer, aud: op.clientId, iat: now(), jti: randomUUID(), sub: 'erin', events });
  const send = () => fetch(logoutUrl, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
  expect(await userIn(browser, url)).toBeDefined();
  expect((await send()).status).toBe(200);
  advance(6_000);
  expect(await userIn(browser, url)).toBeUndefined();
  expect((await send()).status).toBe(400);
});

test('a session of the provider of the service does not reach an organization that requires SSO', async () => {
  const { browser } = await signIn(person('the reader', 'reader@acme.example'));
  await db.updateTable('organization').set({ sso: true }).where('id', '=', organizationId).execute();
  const cookie = `stemma_session=${browser.cookie('stemma_session')}`;
  const answer = await fetch(`${url}/v1/orgs/${organizationId}`, { headers: { cookie } });
  expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('requires SSO')]);
});

const bare = await reachableWorld();

test('without such a provider, its pages do not exist, and the sign-in page does not name it', async () => {
  const browser = new Browser(bare.url);
  for (const path of ['start', 'callback?state=a&code=b']) {
    expect((await browser.open(`${bare.url}/sso/instance/${path}`)).status).toBe(404);
  }
  const logout = await fetch(`${bare.url}/sso/instance/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: 'x' }),
  });
  expect(logout.status).toBe(404);
  expect(await (await browser.open('/account')).text()).not.toContain('/sso/instance');
});
