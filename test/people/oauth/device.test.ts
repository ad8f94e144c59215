import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { removeExpiredOAuth } from '../../../src/domain/people/oauth/remove-expired-oauth.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';
import { Application, type Json, registration, signedIn } from './application.ts';

const port = await freePort();
const here = await world({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, TRUST_PROXY: '1' });
const { app, url, admin, editor, reader, anonymous, organizationId, advance } = here;
const { db } = app.services;
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const television = await Application.register(url, {
  client_name: 'Television',
  redirect_uris: undefined,
  grant_types: [GRANT, 'refresh_token'],
});
const browser = await signedIn(url, editor.token);

const ask = async (from = television, fields: Record<string, string> = { scope: 'read propose' }): Promise<Json> => {
  const { status, body } = await from.post('device', fields);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

/** Asks for tokens, as long after the last time as the device was told to wait. */
const poll = (device_code: string, from = television) => {
  advance(5_000);
  return from.post('token', { grant_type: GRANT, device_code });
};

const enter = (user_code: string, fields: Record<string, string> = {}, from: Browser = browser) =>
  from.submit('/account/device', { user_code, ...fields });

/** Goes to the start of a minute, in whose time requests are counted. */
const nextMinute = () => advance(60_000 - (app.services.clock().getTime() % 60_000));

const allow = (userCode: string, fields: Record<string, string> = {}) =>
  enter(userCode, { account: editor.userId, decision: 'allow', reach: 'all', scope_propose: 'yes', ...fields });

const rejected = (error: string) => ({ status: 400, body: expect.objectContaining({ error }) });

test('a person enters the code that a device shows, and the device acts as the person', async () => {
  const asked = await ask();
  expect(asked).toEqual({
    device_code: expect.stringMatching(/^[\w-]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${url}/device`,
    verification_uri_complete: `${url}/device?user_code=${asked.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  expect(await poll(asked.device_code)).toMatchObject(rejected('authorization_pending'));
  expect((await enter(asked.user_code.replace('-', ''))).status).toBe(200);
  const confirm = await enter(` ${asked.user_code.toLowerCase().replace('-', ' ')} `);
  const html = await confirm.text();
  expect(html).toMatch(/Connect Television\?.*its name is not verified/s);
  expect(html).toContain(`The device shows the code <strong>${asked.user_code}</strong>`);
  expect(html).toMatch(/If you were sent the code or a link to this page, deny it/);
  expect(confirm.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const done = await allow(asked.user_code);
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('The device is connected')]);
  const { status, body } = await poll(asked.device_code);
  expect([status, body.scope, body.token_type]).toEqual([200, 'read propose', 'Bearer']);
  const client = new Client(url, body.access_token);
  expect((await client.get('/v1/user')).body.id).toBe(editor.userId);
  expect((await client.graphql('{ viewer { id } }')).viewer.id).toBe(editor.userId);
  const [grant] = (await editor.get('/v1/user/oauth-grants')).body.items;
  expect([grant.clientName, grant.redirectTo]).toEqual(['Television', undefined]);
  const { status: refreshed, body: second } = await television.refresh(body.refresh_token);
  expect(refreshed).toBe(200);
  expect((await editor.delete(`/v1/user/oauth-grants/${grant.id}`)).status).toBe(204);
  expect((await new Client(url, second.access_token).get('/v1/user')).status).toBe(401);
  const stored = JSON.stringify(
    (await db.selectFrom('oauth_record').select(['idHash', 'payload']).execute()).map((row) => [
      row.idHash,
      row.payload.toString('latin1'),
    ]),
  );
  for (const secret of [asked.device_code, asked.user_code.replace('-', '')]) expect(stored).not.toContain(secret);
});

test('the person grants less, and some organizations only', async () => {
  const { user_code, device_code } = await ask(television, { scope: 'read propose merge' });
  await allow(user_code, { scope_propose: 'no', reach: 'some', [`reach_${organizationId}`]: 'yes' });
  const { body } = await poll(device_code);
  expect(body.scope).toBe('read');
  const [grant] = (await editor.get('/v1/user/oauth-grants')).body.items;
  expect(grant.organizationIds).toEqual([organizationId]);
});

test('the person searches spaces, and limits the device to some', async () => {
  const made = await Promise.all(
    ['Valves', 'Pumps'].map((title) => admin.post(`/v1/orgs/${organizationId}/spaces`, { title })),
  );
  const [valves, pumps] = made.map((space) => space.body.id);
  const { user_code, device_code } = await ask(television, { scope: 'read propose' });
  const ticked = { account: editor.userId, reach: 'spaces', [`in_${valves}`]: 'yes' };
  const searched = await enter(user_code, { ...ticked, decision: 'search', space_search: 'PUM' });
  const html = await searched.text();
  expect(html).toContain(`name="in_${valves}" value="yes" checked`);
  expect(html).toContain(`name="in_${pumps}" value="yes">`);
  expect(html).toContain('id="reach_spaces" name="reach" value="spaces" checked');
  await allow(user_code, { reach: 'spaces', [`in_${valves}`]: 'yes' });
  const { body } = await poll(device_code);
  const client = new Client(url, body.access_token);
  expect((await client.get(`/v1/spaces/${valves}`)).status).toBe(200);
  expect((await client.get(`/v1/spaces/${pumps}`)).status).toBe(404);
});

test('searches of a person with the right code are no guesses, and wrong codes are counted as such', async () => {
  const { user_code } = await ask(television, { scope: 'read' });
  const search = () => enter(user_code, { account: editor.userId, decision: 'search', space_search: 'PUM' });
  for (let time = 1; time <= 25; time++) expect([time, (await search()).status]).toEqual([time, 200]);
  nextMinute();
  let refused = 0;
  for (let time = 1; time <= 21; time++) if ((await enter('BBBB-BBBB')).status === 429) refused++;
  expect([refused > 0, (await search()).status]).toEqual([true, 429]);
  advance(60_000);
  expect((await search()).status).toBe(200);
});

test('a person denies, and the device is told so', async () => {
  const { user_code, device_code } = await ask();
  const denied = await enter(user_code, { account: editor.userId, decision: 'deny' });
  expect(await denied.text()).toContain('The device is not connected');
  expect(await poll(device_code)).toMatchObject(rejected('access_denied'));
});

test('a code works for one decision and one device, and using it again ends the grant', async () => {
  const { user_code, device_code } = await ask();
  const both = await Promise.all([allow(user_code), allow(user_code)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect((await enter(user_code)).status).toBe(400);
  const { status, body } = await poll(device_code);
  expect(status).toBe(200);
  expect(await poll(device_code)).toMatchObject(rejected('invalid_grant'));
  expect((await new Client(url, body.access_token).get('/v1/user')).status).toBe(401);
});

test('of two people who decide at once, one does, and the device acts for that one alone', async () => {
  const before = await db.selectFrom('oauth_grant').select('id').execute();
  const { user_code, device_code } = await ask();
  const other = await signedIn(url, reader.token);
  const both = await Promise.all([
    allow(user_code),
    enter(user_code, { account: reader.userId, decision: 'allow', reach: 'all' }, other),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  const known = before.map(({ id }) => id);
  const made = await db.selectFrom('oauth_grant').where('id', 'not in', known).select('userId').execute();
  const winner = both[0]?.status === 200 ? editor.userId : reader.userId;
  expect(made).toEqual([{ userId: winner }]);
  const { body } = await poll(device_code);
  expect((await new Client(url, body.access_token).get('/v1/user')).body.id).toBe(winner);
});

test('a decision that cannot be written changes nothing, and can be made again', async () => {
  advance(60_000);
  const grants = async () => (await db.selectFrom('oauth_grant').select('id').execute()).length;
  const before = await grants();
  const { user_code, device_code } = await ask();
  await sql`
    create function refuse_decision() returns trigger language plpgsql as
      $$ begin raise exception using errcode = 'serialization_failure'; end $$`.execute(db);
  await sql`
    create trigger refuse_decision before update of payload on oauth_record
      for each row when (new.type = 'DeviceCode') execute function refuse_decision()`.execute(db);
  const events = (await here.eventsBy()).length;
  const failed = await allow(user_code);
  await sql`drop function refuse_decision cascade`.execute(db);
  expect([409, 503]).toContain(failed.status);
  expect([await grants(), (await here.eventsBy()).length]).toEqual([before, events]);
  expect(await poll(device_code)).toMatchObject(rejected('authorization_pending'));
  expect((await allow(user_code)).status).toBe(200);
  expect(await grants()).toBe(before + 1);
  expect((await poll(device_code)).status).toBe(200);
});

test('an expired code is told apart for an hour, and then removed, also if nobody has decided', async () => {
  const { device_code } = await ask();
  advance(65 * 60_000);
  expect(await poll(device_code)).toMatchObject(rejected('expired_token'));
  advance(6 * 60_000);
  expect(await poll(device_code)).toMatchObject(rejected('invalid_grant'));
  const { signal } = new AbortController();
  await removeExpiredOAuth.run(jobContext(app.services, 'test'), {}, { signal, retries: 0 });
  const left = await db
    .selectFrom('oauth_record')
    .where('type', 'in', ['DeviceCode', 'UserCode'])
    .select('type')
    .execute();
  expect(left).toEqual([]);
});

/** Asks for a code from an address. */
async function askFrom(address: string, client_id = television.clientId) {
  const headers = { 'x-forwarded-for': address };
  const body = new URLSearchParams({ client_id });
  const { status, headers: answered } = await fetch(`${url}/oauth/device`, { method: 'POST', headers, body });
  return { status, retryAfter: Number(answered.get('retry-after')) };
}

/** Registers a client from an address. */
async function registerFrom(address: string, redirectUri = 'http://127.0.0.1/callback') {
  const headers = { 'x-forwarded-for': address, 'content-type': 'application/json' };
  const body = JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' });
  return { status: (await fetch(`${url}/oauth/register`, { method: 'POST', headers, body })).status };
}

/** The statuses of 20 requests from an address, which is its limit. */
const twenty = async (from: (address: string) => Promise<{ status: number }>, address: string) =>
  (await Promise.all(Array.from({ length: 20 }, () => from(address)))).map(({ status }) => status);

test('devices of all addresses together can ask for 300 codes in a minute, and those of one for 20', async () => {
  nextMinute();
  for (let part = 1; part <= 15; part++) expect(await twenty(askFrom, `198.51.${part}.1`)).toEqual(Array(20).fill(200));
  const over = await askFrom('192.0.2.99');
  expect(over).toEqual({ status: 429, retryAfter: expect.any(Number) });
  expect(over.retryAfter).toBeGreaterThan(0);
  nextMinute();
  await twenty(askFrom, '192.0.2.1');
  expect([(await askFrom('192.0.2.1')).status, (await askFrom('192.0.2.2')).status]).toEqual([429, 200]);
  nextMinute();
});

test.each([
  ['codes of devices', askFrom, 200, (address: string) => askFrom(address, 'unknown'), 401],
  ['registrations', registerFrom, 201, (address: string) => registerFrom(address, 'ftp://example.com'), 400],
])('of %s, one network has a third, and invalid requests of many addresses take none', async (...each) => {
  const [, ask, asked, askInvalid, refused] = each;
  nextMinute();
  for (let part = 1; part <= 16; part++)
    expect(await twenty(askInvalid, `198.51.${part}.1`)).toEqual(Array(20).fill(refused));
  expect((await ask('203.0.113.1')).status).toBe(asked);
  for (const network of ['192.0.2.', '2001:db8:1:']) {
    const addressOf = (part: number) => (network.includes(':') ? `${network}${part}::1` : `${network}${part}`);
    for (let part = 1; part <= 5; part++) expect(await twenty(ask, addressOf(part))).toEqual(Array(20).fill(asked));
    expect((await ask(addressOf(6))).status).toBe(429);
    expect((await ask('203.0.113.1')).status).toBe(asked);
  }
  nextMinute();
});

test('a code expires after ten minutes, for the person and the device', async () => {
  const { user_code, device_code } = await ask();
  advance(10 * 60_000);
  const late = await allow(user_code);
  expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('No device waits with this code')]);
  expect(await poll(device_code)).toMatchObject(rejected('expired_token'));
});

test('a device that asks too often is told to slow down, and others are not', async () => {
  const { user_code, device_code } = await ask();
  const other = await ask();
  expect(await poll(device_code)).toMatchObject(rejected('authorization_pending'));
  expect(await television.post('token', { grant_type: GRANT, device_code })).toMatchObject(rejected('slow_down'));
  expect(await television.post('token', { grant_type: GRANT, device_code: other.device_code })).toMatchObject(
    rejected('authorization_pending'),
  );
  await allow(user_code);
  expect(await television.post('token', { grant_type: GRANT, device_code })).toMatchObject(rejected('slow_down'));
  expect((await poll(device_code)).status).toBe(200);
});

test('wrong codes are refused, and few can be tried', async () => {
  nextMinute();
  const wrong = await enter('BBBB-BBBB');
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('No device waits with this code')]);
  for (const odd of ['', 'B', 'ÄÖÜß', '\0', 'B'.repeat(5_000)]) expect((await enter(odd)).status).toBe(400);
  const { user_code } = await ask();
  const answers = [];
  for (let count = 0; count < 21; count++) answers.push((await allow('CCCC-CCCC')).status);
  expect(answers.at(-1)).toBe(429);
  const blocked = await allow(user_code);
  expect([blocked.status, await blocked.text()]).toEqual([429, expect.stringContaining('Try again in')]);
  nextMinute();
  expect((await enter(user_code)).status).toBe(200);
});

test('the decision is of the person who has seen the page, in a session that may connect, by a form of it', async () => {
  nextMinute();
  const { user_code } = await ask();
  const foreign = await browser.submit('/account/device', { user_code, decision: 'allow' }, 'https://evil.example');
  expect(foreign.status).toBe(403);
  const another = await enter(user_code, { account: admin.userId, decision: 'allow', reach: 'all' });
  expect(await another.text()).toContain('Connect Television');
  const { body } = await reader.post('/v1/user/tokens', { label: 'Restricted', scopes: ['admin'] });
  expect((await enter(user_code, {}, await signedIn(url, body.secret))).status).toBe(403);
  const nobody = new Browser(url);
  const short = await nobody.open(`/device?user_code=${user_code}`);
  expect(short.headers.get('location')).toBe(`/account/device?user_code=${user_code}`);
  const signIn = await nobody.open(short.headers.get('location') ?? '');
  expect(signIn.headers.get('location')).toBe(
    `/account?next=${encodeURIComponent(`/account/device?user_code=${user_code}`)}`,
  );
  const page = await browser.open(`/account/device?user_code=${user_code}`);
  expect(await page.text()).toContain(`name="user_code" value="${user_code}"`);
});

test('the code of a device is for its client, and clients must have asked for the grant', async () => {
  const { user_code, device_code } = await ask();
  await allow(user_code);
  const other = await Application.register(url, { redirect_uris: undefined, grant_types: [GRANT] });
  expect(await poll(device_code, other)).toMatchObject(rejected('invalid_grant'));
  const usual = await Application.register(url);
  expect(await usual.post('device', {})).toMatchObject(rejected('invalid_request'));
  expect(await television.post('device', { resource: 'https://elsewhere.example' })).toMatchObject(
    rejected('invalid_target'),
  );
  expect((await television.post('device', { client_id: 'none' })).status).toBe(401);
  expect((await registration(url, { redirect_uris: undefined, grant_types: ['authorization_code'] })).status).toBe(400);
  const again = await ask(other);
  await allow(again.user_code);
  expect((await poll(again.device_code, other)).body.refresh_token).toBeUndefined();
});

test('a token is bound to the API that the device asked for', async () => {
  const { user_code, device_code } = await ask(television, { resource: `${url}/mcp` });
  await allow(user_code);
  const { body } = await poll(device_code);
  const refused = await new Client(url, body.access_token).get('/v1/user');
  expect([refused.status, refused.body.error.message]).toEqual([401, expect.stringContaining('issued for /mcp only')]);
});

test('a client can be described by a document', async () => {
  const clientId = 'https://television.example/client.json';
  const document = { client_id: clientId, client_name: 'Described', grant_types: [GRANT] };
  const spy = vi
    .spyOn(app.services as { fetch: typeof app.services.fetch }, 'fetch')
    .mockImplementation(
      async () =>
        ({ url: clientId, status: 200, headers: {}, body: Readable.from([JSON.stringify(document)]) }) as never,
    );
  const described = new Application(url, clientId);
  const { user_code, device_code } = await ask(described);
  expect(await (await enter(user_code)).text()).toMatch(
    /Connect Described\?.*described at <strong>television\.example/s,
  );
  await allow(user_code);
  expect((await poll(device_code, described)).status).toBe(200);
  spy.mockRestore();
});

test('a person is told if the document of the client can no longer be read, and can decide when it is back', async () => {
  const clientId = 'https://closed.example/client.json';
  const document = JSON.stringify({ client_id: clientId, client_name: 'Closed', grant_types: [GRANT] });
  let status = 200;
  const spy = vi
    .spyOn(app.services as { fetch: typeof app.services.fetch }, 'fetch')
    .mockImplementation(async () => ({ url: clientId, status, headers: {}, body: Readable.from([document]) }) as never);
  onTestFinished(() => spy.mockRestore());
  const { user_code } = await ask(new Application(url, clientId));
  // The library remembers documents by the clock of the machine.
  const { now } = Date;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 61_000);
  onTestFinished(() => clock.mockRestore());
  status = 404;
  const failed = await enter(user_code);
  expect([failed.status, await failed.text()]).toEqual([400, expect.stringContaining('cannot be connected')]);
  status = 200;
  expect(await (await enter(user_code)).text()).toContain('Connect Closed?');
});

test('the metadata names the endpoint and the grant', async () => {
  const { body } = await anonymous.get('/.well-known/oauth-authorization-server');
  expect(body.device_authorization_endpoint).toBe(`${url}/oauth/device`);
  expect(body.grant_types_supported).toContain(GRANT);
});

test('a device that asks for an ID token gets none, and a code that cuts a character is unknown', async () => {
  const asked = await ask(television, { scope: 'openid read' });
  await allow(asked.user_code);
  const { status, body } = await poll(asked.device_code);
  expect([status, body.scope]).toEqual([200, 'read']);
  expect(body).not.toHaveProperty('id_token');
  const cut = `${'x'.repeat(19)}\u{1f600}`;
  expect((await browser.open(`/device?user_code=${encodeURIComponent(cut)}`)).status).toBe(303);
  expect((await enter(cut)).status).toBe(400);
});

test('a form of another kind of session decides nothing: the person is asked again', async () => {
  const asked = await ask();
  const again = await allow(asked.user_code, { sso: 'saml_other' });
  expect(await again.text()).toContain('Connect Television?');
  expect(await poll(asked.device_code)).toMatchObject(rejected('authorization_pending'));
  await enter(asked.user_code, { account: editor.userId, decision: 'deny' });
});
