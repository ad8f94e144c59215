import { expect, test } from 'vitest';
import { makeSignInLink } from '../../../src/domain/people/sessions/index.ts';
import { removeExpiredSessions } from '../../../src/domain/people/sessions/remove-expired-sessions.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';

const port = await freePort();
const made = await world({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
const { url, reader, admin, anonymous, organizationId, app, advance } = made;
const { db } = app.services;

const UNUSABLE = 'This is not an access token of an account, or it was revoked or has expired.';
const DAY_MS = 86_400_000;

const send = (token: string, headers: Record<string, string> = { origin: url }) =>
  anonymous.send('POST', '/app/sign-in', { token }, headers);

/** The cookie that an application gets for a token. */
async function cookieFor(token: string): Promise<string> {
  const { status, headers } = await send(token);
  expect(status).toBe(204);
  return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

const viewerOf = async (cookie: string) => {
  const query = { query: '{ viewer { id } }' };
  return (await anonymous.send('POST', '/graphql', query, { cookie, origin: url })).body.data.viewer?.id;
};

/** A new token of the reader, or of another user. */
const newToken = (input = {}, owner = reader): Promise<{ secret: string; apiToken: { id: string } }> =>
  owner.mutate('createApiToken', { label: 'Browser', ...input }, 'secret apiToken { id }');

test('find: access token: it is exchanged for a session, whose cookie scripts cannot read', async () => {
  const { secret } = await newToken();
  const { status, headers } = await send(`  ${secret}\n`);
  expect([status, headers.get('cache-control')]).toEqual([204, 'no-store']);
  const setCookie = headers.get('set-cookie') ?? '';
  expect(setCookie).toMatch(/^stemma_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
  const cookie = setCookie.split(';', 1)[0] ?? '';
  expect(await viewerOf(cookie)).toBe(reader.userId);
  expect((await anonymous.send('GET', `/v1/orgs/${organizationId}`, undefined, { cookie })).status).toBe(200);
  const kinds = await db.selectFrom('event').where('actorId', '=', reader.userId).select('kind').execute();
  expect(kinds.map(({ kind }) => kind)).toContain('session_started');
});

test('the time of the sign-in is that of the last use of the token', async () => {
  const { secret, apiToken } = await newToken();
  await send(secret);
  const { body } = await reader.get(`/v1/user/tokens`);
  const own = body.items.find(({ id }: { id: string }) => id === apiToken.id);
  expect(own.lastUsedAt).not.toBeNull();
});

test('a form is redirected to where the sign-in was needed', async () => {
  const { secret: token } = await newToken();
  const browser = new Browser(url);
  const response = await browser.submit('/app/sign-in', { token, next: '/app/spaces/x?a=b#c' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/app/spaces/x?a=b#c']);
  expect(await (await browser.open('/account')).text()).toContain('<h1>Reader</h1>');
});

test.each([
  '',
  'https://evil.example/app',
  '//evil.example/app',
  '/\\evil.example/app',
  '/app\\..\\evil',
  '/appendix',
  '/v1/orgs',
  'javascript:alert(1)',
  '/app/../v1',
  '/app\r\nset-cookie: a=b',
  'http://[',
])('%j is not followed after a sign-in', async (next) => {
  const { secret: token } = await newToken();
  const response = await new Browser(url).submit('/app/sign-in', { token, next });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/app']);
});

test('the account page signs in with a token, and says why it cannot', async () => {
  const browser = new Browser(url);
  const page = await (await browser.open('/account')).text();
  expect(page).toContain('action="/app/sign-in"');
  const refused = await browser.submit('/app/sign-in', { token: 'stemma_x', next: '/account' });
  const again = await refused.text();
  expect([refused.status, browser.cookie('stemma_session')]).toEqual([401, undefined]);
  expect(again).toContain(`<p role="alert">${UNUSABLE}</p>`);
  expect(again).toContain('name="next" value="/account"');
  expect(again).not.toContain('stemma_x');
  const { secret: token } = await newToken();
  const response = await browser.follow(await browser.submit('/app/sign-in', { token, next: '/account' }));
  expect(await response.text()).toContain('<h1>Reader</h1>');
});

test('one error tells nothing about a token that cannot be used', async () => {
  const expiring = await newToken({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
  const revoked = await newToken();
  await reader.delete(`/v1/user/tokens/${revoked.apiToken.id}`);
  advance(61_000);
  const cookie = await cookieFor((await newToken()).secret);
  for (const token of ['stemma_x', expiring.secret, revoked.secret, cookie.split('=')[1] ?? '']) {
    const { status, body, headers } = await send(token);
    expect([status, body.error.message, headers.get('set-cookie')]).toEqual([401, UNUSABLE, null]);
  }
  advance(-61_000);
  expect((await send('')).status).toBe(400);
  expect((await anonymous.send('POST', '/app/sign-in', {}, { origin: url })).status).toBe(400);
});

test('a page of another origin cannot sign a browser in', async () => {
  const { secret } = await newToken();
  const foreign: Record<string, string>[] = [{}, { origin: 'null' }, { origin: 'https://evil.example' }];
  for (const headers of foreign) {
    const { status, headers: answered } = await send(secret, headers);
    expect([status, answered.get('set-cookie')]).toEqual([403, null]);
  }
  const response = await new Browser(url).submit('/app/sign-in', { token: secret }, 'https://evil.example');
  expect(response.status).toBe(403);
});

test('a session ends when its token is revoked, by the token or by the session itself', async () => {
  const first = await newToken();
  const [one, two] = [await cookieFor(first.secret), await cookieFor(first.secret)];
  const other = await cookieFor((await newToken()).secret);
  expect([await viewerOf(one), await viewerOf(two), await viewerOf(other)]).toEqual(Array(3).fill(reader.userId));
  await reader.mutate('revokeApiToken', { apiTokenId: first.apiToken.id }, 'deletedApiTokenId: deletedId');
  expect([await viewerOf(one), await viewerOf(two), await viewerOf(other)]).toEqual([
    undefined,
    undefined,
    reader.userId,
  ]);
  expect(await db.selectFrom('session').where('apiTokenId', '=', first.apiToken.id).select('userId').execute()).toEqual(
    [],
  );

  const second = await newToken();
  const browser = new Browser(url);
  await browser.submit('/app/sign-in', { token: second.secret });
  await browser.submit('/account/tokens/revoke', { apiTokenId: second.apiToken.id });
  expect(await (await browser.open('/account')).text()).toContain('<h1>Sign in</h1>');
});

test("another user's token, and its sessions, cannot be revoked", async () => {
  const { secret, apiToken } = await newToken({}, admin);
  const cookie = await cookieFor(secret);
  expect((await reader.delete(`/v1/user/tokens/${apiToken.id}`)).status).toBe(204);
  expect(await viewerOf(cookie)).toBe(admin.userId);
});

test('a session lasts no longer than its token, and at most seven days', async () => {
  const soon = await newToken({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const { headers } = await send(soon.secret);
  const [, maxAge] = /Max-Age=(\d+)/.exec(headers.get('set-cookie') ?? '') ?? [];
  expect(Number(maxAge)).toBeLessThanOrEqual(3_600);
  const short = headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const late = await newToken({ expiresAt: new Date(Date.now() + 30 * DAY_MS).toISOString() });
  const long = await cookieFor(late.secret);
  expect([await viewerOf(short), await viewerOf(long)]).toEqual([reader.userId, reader.userId]);
  advance(3_700_000);
  expect([await viewerOf(short), await viewerOf(long)]).toEqual([undefined, reader.userId]);
  advance(7 * DAY_MS);
  expect(await viewerOf(long)).toBeUndefined();
  advance(-7 * DAY_MS - 3_700_000);
});

test('signing out ends the session and not the token', async () => {
  const { secret } = await newToken();
  const browser = new Browser(url);
  await browser.submit('/app/sign-in', { token: secret });
  const cookie = `stemma_session=${browser.cookie('stemma_session')}`;
  await browser.submit('/account/sign-out', {});
  expect(await viewerOf(cookie)).toBeUndefined();
  expect((await send(secret)).status).toBe(204);
});

test('subscriptions take the session of a page', async () => {
  const cookie = await cookieFor((await newToken()).secret);
  const space = (await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Live' })).body.id;
  const body = JSON.stringify({ query: `subscription { spaceUpdated(id: "${space}") { title } }` });
  const headers = { cookie, origin: url, accept: 'text/event-stream', 'content-type': 'application/json' };
  const left = new AbortController();
  const answer = await fetch(`${url}/graphql`, { method: 'POST', body, headers, signal: left.signal });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const changed = admin.patch(`/v1/spaces/${space}`, { title: 'Changed' });
  let text = '';
  for await (const bytes of answer.body ?? []) {
    text += Buffer.from(bytes).toString('utf8');
    if (text.includes('Changed')) break;
  }
  left.abort();
  expect((await changed).status).toBe(200);
  const foreign = await fetch(`${url}/graphql`, {
    method: 'POST',
    body,
    headers: { ...headers, origin: 'https://evil.example' },
  });
  expect(foreign.status).toBe(403);
});

test('attempts are limited like other requests without a token', async () => {
  const limited = await world({ RATE_LIMIT: '5', PUBLIC_URL: url });
  const statuses: number[] = [];
  // More than two of the minutes in which requests are counted can admit.
  for (let attempt = 0; attempt < 12; attempt++) {
    const { status } = await limited.anonymous.send('POST', '/app/sign-in', { token: 'stemma_x' }, { origin: url });
    statuses.push(status);
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
});

const makeLink = () => makeSignInLink(db, { userId: admin.userId, now: app.services.clock() });
const secretIn = (path: string) => new URL(path, url).searchParams.get('secret') ?? '';

test('find: link of the first start: it signs in once, and opening it changes nothing', async () => {
  const path = await makeLink();
  const browser = new Browser(url);
  for (const _ of [1, 2]) {
    const page = await browser.open(path);
    expect([page.status, page.headers.get('cache-control'), browser.cookie('stemma_session')]).toEqual([
      200,
      'private, no-store',
      undefined,
    ]);
    expect(await page.text()).toContain('action="/account/sign-in-link"');
  }
  const response = await browser.submit('/account/sign-in-link', { secret: secretIn(path) });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/app']);
  expect(await (await browser.open('/account')).text()).toContain('<h1>Admin</h1>');

  const again = await new Browser(url).submit('/account/sign-in-link', { secret: secretIn(path) });
  expect([again.status, again.headers.get('set-cookie')]).toEqual([404, null]);
  expect(await again.text()).toContain('<p role="alert">This link was already used, has expired or is incomplete.</p>');
});

test('a link expires after ten minutes, is stored hashed, and is then removed', async () => {
  const path = await makeLink();
  const rows = await db.selectFrom('sign_in_link').selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(secretIn(path));
  advance(601_000);
  const response = await new Browser(url).submit('/account/sign-in-link', { secret: secretIn(path) });
  expect(response.status).toBe(404);
  await removeExpiredSessions.run(jobContext(app.services, 'test'), {}, {
    signal: new AbortController().signal,
  } as never);
  expect(await db.selectFrom('sign_in_link').selectAll().execute()).toEqual([]);
  advance(-601_000);
});

test('a page of another origin cannot use a link', async () => {
  const secret = secretIn(await makeLink());
  const foreign = await new Browser(url).submit('/account/sign-in-link', { secret }, 'https://evil.example');
  expect(foreign.status).toBe(403);
  expect((await new Browser(url).submit('/account/sign-in-link', { secret })).status).toBe(303);
});
