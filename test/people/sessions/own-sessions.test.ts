import { expect, test } from 'vitest';
import type { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';

const port = await freePort();
const made = await world({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
const { url, reader, editor, admin, anonymous, app, advance } = made;
const { db } = app.services;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** The cookie of a new session of a user, of a browser with this name. */
async function signIn({ token = '' }: Client, userAgent = FIREFOX): Promise<string> {
  const headers = { origin: url, 'user-agent': userAgent };
  const answer = await anonymous.send('POST', '/app/sign-in', { token }, headers);
  expect(answer.status).toBe(204);
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

const as = (cookie: string, method: string, path: string) =>
  anonymous.send(method, path, undefined, { cookie, origin: url });

/** The user whom a session is of. */
const userOf = async (cookie: string) => (await as(cookie, 'GET', '/v1/user')).body.id;

test('sessions are listed with the device, and which one is used, by both transports', async () => {
  const first = await signIn(reader);
  advance(1_000);
  const second = await signIn(
    reader,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1',
  );
  advance(1_000);
  await signIn(reader, 'x'.repeat(2_000));
  await signIn(editor);
  await userOf(first);
  const { body } = await as(second, 'GET', '/v1/user/sessions');
  expect(body.items).toMatchObject([
    { object: 'session', device: 'Unknown device', isCurrent: false },
    { object: 'session', device: 'Safari on iPhone', isCurrent: true },
    { object: 'session', device: 'Firefox on Linux', isCurrent: false },
  ]);
  expect(body.items[0]).not.toHaveProperty('lastUsedAt');
  expect(body.items[2].lastUsedAt).toEqual(expect.any(String));
  expect(JSON.stringify(body)).not.toContain(second.split('=')[1]);
  const { viewer } = await reader.graphql(
    '{ viewer { sessions(first: 2) { totalCount nodes { id device isCurrent } } } }',
  );
  expect(viewer.sessions).toMatchObject({
    totalCount: 3,
    nodes: [{ isCurrent: false }, { device: 'Safari on iPhone' }],
  });
  const id = body.items[1].id;
  expect((await reader.graphql(`{ node(id: "${id}") { ... on Session { device } } }`)).node.device).toBe(
    'Safari on iPhone',
  );
  expect((await editor.graphql(`{ node(id: "${id}") { id } }`)).node).toBeNull();
  await expect(admin.graphql(`{ user(id: "${reader.userId}") { sessions { totalCount } } }`)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  advance(-2_000);
});

test('ending a session signs its browser out at once, and no other', async () => {
  await db.deleteFrom('session').where('userId', '=', reader.userId).execute();
  const [one, two] = [await signIn(reader), await signIn(reader)];
  expect([await userOf(one), await userOf(two)]).toEqual([reader.userId, reader.userId]);
  const { items } = (await as(two, 'GET', '/v1/user/sessions')).body;
  const current = items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  const other = await db
    .selectFrom('session')
    .where('userId', '=', reader.userId)
    .where('id', '<>', current.id)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .select('id')
    .executeTakeFirstOrThrow();
  // Of another user, nothing ends.
  expect((await editor.delete(`/v1/user/sessions/${other.id}`)).status).toBe(204);
  expect(await userOf(one)).toBe(reader.userId);
  const ended = await reader.mutate('endSession', { sessionId: other.id }, 'deletedSessionId: deletedId user { id }');
  expect(ended).toEqual({ deletedSessionId: other.id, user: { id: reader.userId } });
  expect([await userOf(one), await userOf(two)]).toEqual([undefined, reader.userId]);
  expect(await reader.mutate('endSession', { sessionId: other.id }, 'deletedSessionId: deletedId')).toEqual({
    deletedSessionId: null,
  });
  expect((await as(two, 'DELETE', `/v1/user/sessions/${current.id}`)).status).toBe(204);
  expect(await userOf(two)).toBeUndefined();
});

test('the page shows the browsers, and signs each of them out', async () => {
  await db.deleteFrom('session').where('userId', '=', reader.userId).execute();
  const other = await signIn(reader);
  const browser = new Browser(url);
  await browser.submit('/app/sign-in', { token: reader.token ?? '' });
  const page = await (await browser.open('/account')).text();
  expect(page).toContain('<strong>Firefox on Linux</strong><br>');
  expect(page).toMatch(/<strong>[^<]+<\/strong> \(this browser\)/);
  const ids = [...page.matchAll(/name="sessionId" value="(session_\w+)"/g)].map(([, id = '']) => id);
  expect(ids).toHaveLength(2);
  for (const sessionId of [ids[1] ?? '', ids[0] ?? ''])
    expect((await browser.submit('/account/sessions/end', { sessionId })).status).toBe(303);
  expect(await userOf(other)).toBeUndefined();
  expect(await (await browser.open('/account')).text()).toContain('<h1>Sign in</h1>');
  // Without a session, the form leads to the page that starts one.
  const late = await browser.submit('/account/sessions/end', { sessionId: ids[0] ?? '' });
  expect([late.status, late.headers.get('location')]).toEqual([303, '/account']);
});

test('a session from before sessions had an id is listed once it is used', async () => {
  const cookie = await signIn(reader);
  await db.updateTable('session').set({ id: null, userAgent: null }).where('userId', '=', reader.userId).execute();
  expect((await reader.get('/v1/user/sessions')).body.items).toEqual([]);
  expect(await userOf(cookie)).toBe(reader.userId);
  const { items } = (await as(cookie, 'GET', '/v1/user/sessions')).body;
  expect(items).toMatchObject([{ device: 'Unknown device', isCurrent: true }]);
});

test('the address is changed on the page, and what is no address is refused there', async () => {
  const browser = new Browser(url);
  await browser.submit('/app/sign-in', { token: editor.token ?? '' });
  const refused = await browser.submit('/account/email-address', { email: 'nobody' });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('<p role="alert">')]);
  expect((await browser.submit('/account/email-address', { email: ' new@acme.example ' })).status).toBe(303);
  const page = await (await browser.open('/account')).text();
  expect(page).toContain('new@acme.example is not verified yet. An operator of the service confirms it.');
  expect((await editor.get('/v1/user')).body).toMatchObject({
    email: 'editor@acme.example',
    unverifiedEmail: 'new@acme.example',
  });
  const foreign = await browser.submit('/account/email-address', { email: 'x@acme.example' }, 'https://evil.example');
  expect(foreign.status).toBe(403);
});

test('find: link of an operator: it signs in a user who has lost every other way, once, within a day', async () => {
  const { url: link, expiresAt } = await admin.mutate('createSignInLink', { userId: reader.userId }, 'url expiresAt');
  expect(Date.parse(expiresAt) - app.services.clock().getTime()).toBeGreaterThan(23 * 3_600_000);
  const browser = new Browser(url);
  const page = await (await browser.open(link)).text();
  expect(page).toContain('This link works once.');
  const secret = new URL(link).searchParams.get('secret') ?? '';
  expect((await browser.submit('/account/sign-in-link', { secret })).status).toBe(303);
  expect(await (await browser.open('/account')).text()).toContain('<h1>Reader</h1>');
  expect((await new Browser(url).submit('/account/sign-in-link', { secret })).status).toBe(404);
  const kinds = await db.selectFrom('event').where('actorId', '=', admin.userId).select('kind').execute();
  expect(kinds.map(({ kind }) => kind)).toContain('sign_in_link_created');

  const late = (await admin.post(`/v1/users/${reader.userId}/sign-in-links`)).body;
  advance(86_400_500);
  const lateSecret = new URL(late.url).searchParams.get('secret') ?? '';
  expect((await browser.submit('/account/sign-in-link', { secret: lateSecret })).status).toBe(404);
  advance(-86_400_500);
});

test('only operators create links, and a repetition does not show one again', async () => {
  for (const other of [reader, made.outsider]) {
    expect((await other.post(`/v1/users/${reader.userId}/sign-in-links`)).status).toBe(403);
    expect((await other.post('/v1/users/user_01h455vb4pex5vsknk084sn02q/sign-in-links')).status).toBe(403);
  }
  expect((await admin.post('/v1/users/user_01h455vb4pex5vsknk084sn02q/sign-in-links')).status).toBe(404);
  const send = () =>
    admin.send('POST', `/v1/users/${reader.userId}/sign-in-links`, {}, { 'idempotency-key': 'one link' });
  expect((await send()).body).toHaveProperty('url');
  const again = await send();
  expect([again.status, again.body.url]).toEqual([201, undefined]);
});
