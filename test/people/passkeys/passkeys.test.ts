import { beforeEach, expect, test } from 'vitest';
import { removeExpiredChallenges } from '../../../src/domain/people/passkeys/remove-expired-challenges.ts';
import { hashSession } from '../../../src/platform/access/credentials.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import type { Client } from '../../client.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';
import { Authenticator, type Fault } from './authenticator.ts';

const port = await freePort();
const made = await world({ PORT: String(port), PUBLIC_URL: `http://localhost:${port}` });
const { app, reader, editor, admin, organizationId, advance } = made;
const url = app.services.config.publicUrl;
const { db } = app.services;

const UNUSABLE = 'This passkey does not sign in:';
const UNVERIFIED = 'The passkey could not be verified';

beforeEach(async () => {
  await db.deleteFrom('passkey').execute();
  await db.deleteFrom('passkey_challenge').execute();
});

/** A browser with a session of a user, by an access token. */
async function browserOf({ token = '' }: Client): Promise<Browser> {
  const browser = new Browser(url);
  expect((await browser.submit('/app/sign-in', { token })).status).toBe(303);
  return browser;
}

async function send(browser: Browser, path: string, body: unknown = {}, origin?: string) {
  const response = await browser.sendJson(path, body, origin);
  return { status: response.status, body: await response.json() };
}

/** Registers a passkey. */
async function register(browser: Browser, authenticator: Authenticator, label = '', fault: Fault = {}) {
  const options = await send(browser, '/account/passkeys/options');
  expect(options.status).toBe(200);
  return send(browser, '/account/passkeys', { label, credential: authenticator.create(options.body, fault) });
}

/** Signs in with a passkey. */
async function signIn(browser: Browser, authenticator: Authenticator, fault: Fault = {}, index?: number) {
  const options = await send(browser, '/account/passkey-sign-in/options');
  expect(options.status).toBe(200);
  return send(browser, '/account/passkey-sign-in', {
    credential: authenticator.get(options.body, fault, index),
    next: '/account',
  });
}

const nameOn = async (browser: Browser) => /<h1>(.*)<\/h1>/.exec(await (await browser.open('/account')).text())?.[1];

/** An authenticator with a passkey of the reader. */
async function registered(): Promise<Authenticator> {
  const authenticator = new Authenticator(url);
  expect((await register(await browserOf(reader), authenticator, 'Laptop')).status).toBe(201);
  return authenticator;
}

test('find: passkey: it signs its owner in, without a name being asked', async () => {
  const own = await browserOf(reader);
  const authenticator = new Authenticator(url);
  const options = await send(own, '/account/passkeys/options');
  expect(options.body).toMatchObject({
    rp: { id: 'localhost', name: 'Stemma' },
    user: { name: 'reader@acme.example', displayName: 'Reader' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: [],
  });
  const stored = await send(own, '/account/passkeys', {
    label: 'Laptop',
    credential: authenticator.create(options.body),
  });
  expect([stored.status, stored.body]).toEqual([201, { location: '/account' }]);

  const browser = new Browser(url);
  expect(await (await browser.open('/account')).text()).toContain('Sign in with a passkey');
  const asked = await send(browser, '/account/passkey-sign-in/options');
  expect(asked.body).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(asked.body).not.toHaveProperty('allowCredentials.0');
  const done = await send(browser, '/account/passkey-sign-in', {
    credential: authenticator.get(asked.body),
    next: '/app/spaces/x',
  });
  expect([done.status, done.body]).toEqual([200, { location: '/app/spaces/x' }]);
  expect(await nameOn(browser)).toBe('Reader');
  const kinds = await db.selectFrom('event').where('actorId', '=', reader.userId).select('kind').execute();
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['passkey_created', 'session_started']));
  await settled(db);
  const { body: audit } = await admin.get(`/v1/orgs/${organizationId}/audit-events?kind=passkey_created`);
  expect(audit.items).toMatchObject([{ type: 'passkey_created', ids: { userId: reader.userId } }]);
});

test('a passkey and an email share a cookie, which neither shortens for the other', async () => {
  const options = await fetch(`${url}/account/passkey-sign-in/options`, {
    method: 'POST',
    headers: { origin: app.services.config.publicUrl, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(options.headers.get('set-cookie')).toMatch(/^stemma_sign_in=[\w-]{43}; Path=\/; Max-Age=3600;/);
});

test('a person has several, named and removable, by both transports and on the page', async () => {
  const authenticator = await registered();
  const browser = await browserOf(reader);
  const again = await send(browser, '/account/passkeys/options');
  expect(again.body.excludeCredentials).toEqual([
    { id: authenticator.ids[0], type: 'public-key', transports: ['internal', 'hybrid'] },
  ]);
  await register(browser, authenticator, '');
  const { items } = (await reader.get('/v1/user/passkeys')).body;
  expect(items).toMatchObject([
    { object: 'passkey', label: 'Unknown device', isSynced: false },
    { object: 'passkey', label: 'Laptop' },
  ]);
  const [second, first] = items;
  expect((await reader.patch(`/v1/user/passkeys/${second.id}`, { label: 'Phone' })).body).toMatchObject({
    id: second.id,
    label: 'Phone',
  });
  const { passkey } = await reader.mutate(
    'updatePasskey',
    { passkeyId: first.id, label: '<b>' },
    'passkey { id label }',
  );
  expect(passkey).toEqual({ id: first.id, label: '<b>' });
  const { viewer } = await reader.graphql('{ viewer { passkeys { totalCount nodes { id label } } } }');
  expect(viewer.passkeys).toEqual({
    totalCount: 2,
    nodes: [
      { id: second.id, label: 'Phone' },
      { id: first.id, label: '<b>' },
    ],
  });
  const page = await (await browser.open('/account')).text();
  expect(page).toContain('<strong>&lt;b&gt;</strong>');
  await browser.submit('/account/passkeys/rename', { passkeyId: first.id, label: 'Old laptop' });
  expect((await reader.graphql(`{ node(id: "${first.id}") { ... on Passkey { label } } }`)).node.label).toBe(
    'Old laptop',
  );
  await browser.submit('/account/passkeys/remove', { passkeyId: second.id });
  const other = new Browser(url);
  expect((await signIn(other, authenticator)).status).toBe(401);
  expect((await signIn(other, authenticator, {}, 0)).status).toBe(200);
  const gone = await reader.mutate('deletePasskey', { passkeyId: first.id }, 'deletedPasskeyId: deletedId user { id }');
  expect(gone).toEqual({ deletedPasskeyId: first.id, user: { id: reader.userId } });
  expect((await reader.delete(`/v1/user/passkeys/${first.id}`)).status).toBe(204);
});

test("another user's passkeys are not found, renamed or removed", async () => {
  const authenticator = await registered();
  const [{ id }] = (await reader.get('/v1/user/passkeys')).body.items;
  for (const other of [editor, admin]) {
    expect((await other.get('/v1/user/passkeys')).body.items).toEqual([]);
    expect((await other.patch(`/v1/user/passkeys/${id}`, { label: 'Mine' })).status).toBe(404);
    expect((await other.delete(`/v1/user/passkeys/${id}`)).status).toBe(204);
    expect((await other.graphql(`{ node(id: "${id}") { id } }`)).node).toBeNull();
  }
  const browser = await browserOf(editor);
  expect((await browser.submit('/account/passkeys/rename', { passkeyId: id, label: 'x' })).status).toBe(404);
  expect((await signIn(new Browser(url), authenticator)).status).toBe(200);
  expect((await reader.patch(`/v1/user/passkeys/${id}`, { label: ' ' })).status).toBe(400);
});

const FAULTS: [string, Fault][] = [
  ['of another origin', { origin: 'https://evil.example' }],
  ['for another host', { rpId: 'evil.example' }],
  ['without verification of the person', { isUnverified: true }],
  ['with a challenge that was not made here', { challenge: 'AAAA' }],
  ['of the other ceremony', { type: 'payment.get' }],
];

test.each(FAULTS)('a passkey that is made %s is not stored', async (_kind, fault) => {
  const browser = await browserOf(reader);
  const { status, body } = await register(browser, new Authenticator(url), 'x', fault);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(UNVERIFIED)]);
  expect(await db.selectFrom('passkey').selectAll().execute()).toEqual([]);
});

const SIGNED: [string, Fault][] = [
  ...FAULTS,
  ['by another key', { wrongKey: true }],
  ['of another user', { userHandle: 'user_01h455vb4pex5vsknk084sn02q' }],
  ['without a user', { userHandle: null }],
];

test.each(SIGNED)('what is signed %s does not sign in, with one error', async (_kind, fault) => {
  const authenticator = await registered();
  const browser = new Browser(url);
  const { status, body } = await signIn(browser, authenticator, fault);
  expect([status, body.error.message, browser.cookie('stemma_session')]).toEqual([
    401,
    expect.stringContaining(UNUSABLE),
    undefined,
  ]);
  expect((await signIn(browser, authenticator)).status).toBe(200);
});

test('an unknown passkey has the same error', async () => {
  const stranger = new Authenticator(url);
  stranger.create({
    user: { id: Buffer.from(reader.userId).toString('base64url') },
    rp: { id: 'localhost' },
    challenge: '',
  });
  const { status, body } = await signIn(new Browser(url), stranger);
  expect([status, body.error.message]).toEqual([401, expect.stringContaining(UNUSABLE)]);
});

test('a counter that was used before is refused, and one that stays 0 is not', async () => {
  const authenticator = await registered();
  const browser = new Browser(url);
  expect((await signIn(browser, authenticator, { counter: 10 })).status).toBe(200);
  for (const counter of [10, 9, 0]) expect((await signIn(browser, authenticator, { counter })).status).toBe(401);
  expect((await signIn(browser, authenticator, { counter: 11 })).status).toBe(200);

  const uncounted = new Authenticator(url);
  await register(await browserOf(editor), uncounted, 'x', { counter: 0 });
  for (const _ of [1, 2]) expect((await signIn(browser, uncounted, { counter: 0 })).status).toBe(200);
  expect(await nameOn(browser)).toBe('Editor');
});

test('a challenge is used once, by the browser that asked for it, for its purpose, within five minutes', async () => {
  const authenticator = await registered();
  const browser = new Browser(url);
  const finish = (by: Browser, credential: unknown) => send(by, '/account/passkey-sign-in', { credential });
  const ask = async () => (await send(browser, '/account/passkey-sign-in/options')).body;

  const first = authenticator.get(await ask());
  const other = new Browser(url);
  expect((await finish(other, first)).status).toBe(401);
  await send(other, '/account/passkey-sign-in/options');
  expect((await finish(other, first)).status).toBe(401);
  expect((await finish(browser, first)).status).toBe(200);
  expect((await finish(browser, first)).status).toBe(401);

  // A wrong answer uses the challenge up.
  const options = await ask();
  expect((await finish(browser, authenticator.get(options, { wrongKey: true }))).status).toBe(401);
  expect((await finish(browser, authenticator.get(options))).status).toBe(401);

  const late = authenticator.get(await ask());
  advance(300_500);
  expect((await finish(browser, late)).status).toBe(401);
  const run = { signal: new AbortController().signal, retries: 0 };
  await removeExpiredChallenges.run(jobContext(app.services, 'test'), {}, run);
  expect(await db.selectFrom('passkey_challenge').selectAll().execute()).toEqual([]);
  advance(-300_500);

  // A challenge of a registration is of no use for a sign-in, and of another user for a registration.
  const own = await browserOf(reader);
  const creation = (await send(own, '/account/passkeys/options')).body;
  expect((await finish(own, authenticator.get({ ...creation, rpId: 'localhost' }))).status).toBe(401);
  const again = (await send(own, '/account/passkeys/options')).body;
  await own.submit('/app/sign-in', { token: editor.token ?? '' });
  expect((await send(own, '/account/passkeys', { credential: authenticator.create(again) })).status).toBe(400);
});

test.each([
  undefined,
  null,
  'x',
  {},
  { id: 'x', rawId: 'x', type: 'public-key', response: {} },
  { id: '!', rawId: '!', type: 'public-key', response: { clientDataJSON: 'e30', attestationObject: 'e30' } },
  { id: 'a'.repeat(5_000), rawId: 'a', type: 'public-key', response: { clientDataJSON: 'a', attestationObject: 'a' } },
  { id: 'aa', rawId: 'aa', type: 'public-key', response: { clientDataJSON: 'bnVsbA', attestationObject: 'a' } },
  {
    id: 'aa',
    rawId: 'aa',
    type: 'public-key',
    response: { clientDataJSON: 'bnVsbA', authenticatorData: 'a', signature: 'a', userHandle: '_w' },
  },
])('%j is not a passkey', async (credential) => {
  const browser = await browserOf(reader);
  const stored = await send(browser, '/account/passkeys', { credential });
  expect([stored.status, typeof stored.body.error.message]).toEqual([400, 'string']);
  const signed = await send(browser, '/account/passkey-sign-in', { credential });
  expect([400, 401]).toContain(signed.status);
});

test('a session that has ended in another process, and is still accepted here, registers none', async () => {
  const browser = await browserOf(reader);
  const options = await send(browser, '/account/passkeys/options');
  expect(options.status).toBe(200);
  await db
    .deleteFrom('session')
    .where('secretHash', '=', hashSession(browser.cookie('stemma_session') ?? ''))
    .execute();
  const credential = new Authenticator(url).create(options.body);
  expect((await send(browser, '/account/passkeys', { label: 'Late', credential })).status).toBe(403);
  expect(await db.selectFrom('passkey').select('id').execute()).toEqual([]);
});

test('an account has at most twenty passkeys', async () => {
  const browser = await browserOf(reader);
  const authenticator = new Authenticator(url);
  for (let count = 0; count < 20; count++) expect((await register(browser, authenticator)).status).toBe(201);
  const { status, body } = await send(browser, '/account/passkeys/options');
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('20 passkeys')]);
});

test('without a session, and from a page of another origin, nothing is registered or signed', async () => {
  expect((await send(new Browser(url), '/account/passkeys/options')).status).toBe(401);
  const browser = await browserOf(reader);
  for (const path of [
    '/account/passkeys/options',
    '/account/passkeys',
    '/account/passkey-sign-in/options',
    '/account/passkey-sign-in',
  ])
    expect([path, (await send(browser, path, {}, 'https://evil.example')).status]).toEqual([path, 403]);
});

test('the page runs its own script alone', async () => {
  const response = await (await browserOf(reader)).open('/account');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'self'/);
  expect(policy).not.toContain('unsafe');
  expect(await response.text()).toContain('parseCreationOptionsFromJSON');
});

test('a passkey is offered to a new member whose invitation was accepted', async () => {
  const { body } = await admin.post(`/v1/orgs/${organizationId}/invites`, { emails: ['ada@acme.example'] });
  const [, inviteId = '', secret = ''] = /#(\w+)\.([\w-]+)/.exec(body.invites[0].url) ?? [];
  const browser = new Browser(url);
  expect(await (await browser.submit('/invite', { inviteId, secret, displayName: 'Ada' })).json()).toEqual({
    isSignedIn: true,
  });
  const page = await (await browser.open('/account')).text();
  expect(page).toContain('Create a passkey or a token before your session ends');
  const authenticator = new Authenticator(url);
  expect((await register(browser, authenticator)).status).toBe(201);
  expect(await (await browser.open('/account')).text()).not.toContain('before your session ends');
  const later = new Browser(url);
  await signIn(later, authenticator);
  expect(await nameOn(later)).toBe('Ada');
});

test('on an IP address, and without https, passkeys are not offered, and the page says why', async () => {
  for (const [publicUrl, reason] of [
    ['http://127.0.0.1', 'Passkeys need a host name, and this service has the IP address 127.0.0.1.'],
    ['https://[::1]:8443', 'Passkeys need a host name, and this service has the IP address [::1].'],
    ['http://docs.example.com', 'Passkeys need https, and this service is at http://docs.example.com.'],
  ] as const) {
    const other = await world({ PUBLIC_URL: publicUrl });
    const headers = { origin: publicUrl, 'content-type': 'application/json' };
    const answer = await fetch(`${other.url}/account/passkey-sign-in/options`, { method: 'POST', headers, body: '{}' });
    expect([answer.status, (await answer.json()).error.message]).toEqual([409, reason]);
    expect(await (await fetch(`${other.url}/account`)).text()).not.toContain('passkey');
    const { secret } = await other.reader.mutate('createApiToken', { label: 'x' }, 'secret');
    const signedIn = await fetch(`${other.url}/app/sign-in`, {
      method: 'POST',
      headers: { origin: publicUrl },
      body: new URLSearchParams({ token: secret }),
      redirect: 'manual',
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const page = await (await fetch(`${other.url}/account`, { headers: { cookie } })).text();
    expect(page).toContain(reason);
    expect(page).not.toContain('<script>');
  }
});
