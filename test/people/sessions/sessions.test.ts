import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startSession } from '../../../src/domain/people/sessions/index.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { transact } from '../../../src/platform/operation/transact.ts';
import { type World, world } from '../../world.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';

const port = await freePort();
const made = await world({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
const { url, reader, admin, anonymous, organizationId, app } = made;
const secure = await world({ PUBLIC_URL: 'https://docs.example.com', SITES_URL: 'https://docs.example.com/sites' });

const start = ({ app: { services } }: World, userId: string) =>
  transact(jobContext(services, 'test'), (ctx) => startSession(ctx, { userId }));

/** A browser with a session of a user. */
async function browserOf(userId: string): Promise<Browser> {
  const { secret } = await start(made, userId);
  const browser = new Browser(url);
  browser.setCookie('stemma_session', secret);
  return browser;
}

const cookieOf = (browser: Browser) => `stemma_session=${browser.cookie('stemma_session')}`;
const VIEWER = JSON.stringify({ query: '{ viewer { id } }' });

test('a session works with GraphiQL, both APIs and the account page', async () => {
  const browser = await browserOf(reader.userId);
  const cookie = cookieOf(browser);
  const graph = await anonymous.send('POST', '/graphql', VIEWER, { cookie, origin: url });
  expect(graph.body).toEqual({ data: { viewer: { id: reader.userId } } });
  const rest = await anonymous.send('GET', '/v1/user', undefined, { cookie });
  expect([rest.status, rest.body.id]).toEqual([200, reader.userId]);
  expect((await anonymous.send('GET', `/v1/orgs/${organizationId}`, undefined, { cookie })).status).toBe(200);
  expect(await (await browser.open('/account')).text()).toContain('<h1>Reader</h1>');
});

/** The status of a read with these headers, some of which `fetch` would replace. */
async function statusOf(headers: Record<string, string>): Promise<number | undefined> {
  const sent = request(`${url}/v1/user`, { headers }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

test('requests that a page of another origin may have sent are refused', async () => {
  const cookie = cookieOf(await browserOf(reader.userId));
  const send = (method: string, headers: Record<string, string>) =>
    anonymous.send(method, '/graphql', method === 'POST' ? VIEWER : undefined, { cookie, ...headers });
  for (const origin of ['https://evil.example', 'null', `${url}.evil.example`, url.replace('http:', 'https:')]) {
    const { status, body } = await send('POST', { origin });
    expect([origin, status, body.error?.message]).toEqual([
      origin,
      403,
      expect.stringMatching(/session cookie must come/),
    ]);
  }
  expect((await send('POST', {})).status).toBe(403);
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
  ];
  for (const headers of foreign) expect([headers, await statusOf({ cookie, ...headers })]).toEqual([headers, 403]);
  const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect(await statusOf({ cookie, ...followed })).toBe(200);
  expect(await statusOf({ cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(200);
});

test('a token takes precedence over a session, wherever the request comes from', async () => {
  const cookie = cookieOf(await browserOf(reader.userId));
  const { body } = await admin.send('POST', '/graphql', VIEWER, { cookie, origin: 'https://app.example' });
  expect(body.data.viewer.id).toBe(admin.userId);
});

test.each([
  ['unknown', 'stemma_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['malformed', 'stemma_session=x'],
  ['of another name', 'session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
])('a session that is %s is none', async (_kind, cookie) => {
  expect((await anonymous.send('GET', '/v1/user', undefined, { cookie })).status).toBe(401);
});

test('two cookies of the same name are none', async () => {
  const cookie = cookieOf(await browserOf(reader.userId));
  expect((await anonymous.send('GET', '/v1/user', undefined, { cookie: `${cookie}; ${cookie}` })).status).toBe(401);
});

test('the value of a session is stored hashed, and is no access token', async () => {
  const browser = await browserOf(reader.userId);
  const secret = browser.cookie('stemma_session') ?? '';
  await anonymous.send('GET', '/v1/user', undefined, { cookie: cookieOf(browser) });
  const authorization = `Bearer ${secret}`;
  expect((await anonymous.send('GET', '/v1/user', undefined, { authorization })).status).toBe(401);
  const rows = await app.services.db.selectFrom('session').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('a session ends after seven days', async () => {
  const cookie = cookieOf(await browserOf(reader.userId));
  const week = 7 * 24 * 3_600_000;
  made.advance(week - 10_000);
  expect((await anonymous.send('GET', '/v1/user', undefined, { cookie })).status).toBe(200);
  made.advance(20_000);
  expect((await anonymous.send('GET', '/v1/user', undefined, { cookie })).status).toBe(401);
  made.advance(-week - 10_000);
});

test('signing out ends the session and removes the cookie', async () => {
  const browser = await browserOf(reader.userId);
  const cookie = cookieOf(browser);
  expect((await anonymous.send('GET', '/v1/user', undefined, { cookie })).status).toBe(200);
  const response = await browser.submit('/account/sign-out', {});
  expect([response.status, response.headers.get('location')]).toEqual([303, '/account']);
  expect(browser.cookie('stemma_session')).toBeUndefined();
  expect((await anonymous.send('GET', '/v1/user', undefined, { cookie })).status).toBe(401);
  const kinds = await app.services.db.selectFrom('event').where('actorId', '=', reader.userId).select('kind').execute();
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['session_started', 'session_ended']));
});

test('the account page creates and revokes access tokens', async () => {
  const browser = await browserOf(reader.userId);
  const created = await browser.submit('/account/tokens', { label: 'Build <b>', days: '30' });
  const html = await created.text();
  const secret = /<code>(stemma_[\w-]+)<\/code>/.exec(html)?.[1] ?? '';
  expect([created.status, created.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect(html).toContain('Build &lt;b&gt;');
  const call = { authorization: `Bearer ${secret}` };
  expect((await anonymous.send('GET', '/v1/user', undefined, call)).body.id).toBe(reader.userId);
  const page = await (await browser.open('/account')).text();
  expect(page).not.toContain(secret);
  const [, apiTokenId = ''] = /Build.*?name="apiTokenId" value="(token_\w+)"/s.exec(page) ?? [];
  expect((await browser.submit('/account/tokens/revoke', { apiTokenId })).status).toBe(303);
  expect((await anonymous.send('GET', '/v1/user', undefined, call)).status).toBe(401);
});

test('a form of another site, without a label, or of another type is refused', async () => {
  const browser = await browserOf(reader.userId);
  const blank = await browser.submit('/account/tokens', { label: ' ', days: '' });
  expect([blank.status, await blank.text()]).toEqual([
    400,
    expect.stringMatching(/role="alert">label: must not be blank/),
  ]);
  const cookie = cookieOf(browser);
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const foreign = { cookie, ...type, origin: 'https://evil.example' };
  expect((await anonymous.send('POST', '/account/tokens', 'label=x', foreign)).status).toBe(403);
  expect((await anonymous.send('POST', '/account/sign-out', '', foreign)).status).toBe(403);
  expect((await anonymous.send('POST', '/account/tokens', '{}', { cookie, origin: url })).status).toBe(400);
  const form = { ...type, origin: url, cookie };
  expect((await anonymous.send('POST', '/v1/user/tokens', 'label=x', form)).status).toBe(415);
  expect((await anonymous.send('POST', '/account/tokens', 'label=x&label=y', form)).status).toBe(400);
});

test('the page runs no scripts, loads nothing, and sends forms to the service only', async () => {
  const response = await (await browserOf(reader.userId)).open('/account');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
  );
  expect(response.headers.get('referrer-policy')).toBe('same-origin');
  expect(response.headers.get('x-frame-options')).toBe('DENY');
});

test('without a session the page asks for the organization, and lists its sign-ins', async () => {
  const browser = new Browser(url);
  expect(await (await browser.open('/account')).text()).toMatch(/<h1>Sign in<\/h1>.*name="organization"/s);
  const none = await (await browser.open(`/account?organization=${organizationId}`)).text();
  expect(none).toContain('No organization with this name has SSO.');
  expect((await browser.submit('/account/tokens', { label: 'x' })).headers.get('location')).toBe('/account');
});

test('with https, the cookie is only for this host, and never valid for published sites on it', async () => {
  const { secret } = await start(secure, secure.reader.userId);
  const cookie = `__Host-stemma_session=${secret}`;
  const send = (path: string, headers: Record<string, string> = {}) =>
    secure.anonymous.send('GET', path, undefined, { cookie, ...headers });
  expect((await send('/v1/user')).status).toBe(200);
  expect((await send('/v1/user', { cookie: `stemma_session=${secret}` })).status).toBe(401);
  expect((await send('/sites/v1/user')).status).toBe(404);
  const form = { cookie, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://docs.example.com' };
  const out = await fetch(`${secure.url}/account/sign-out`, { method: 'POST', headers: form, redirect: 'manual' });
  expect(out.headers.get('set-cookie')).toBe(
    '__Host-stemma_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  );
});
