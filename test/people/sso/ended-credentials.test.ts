import { expect, test } from 'vitest';
import { hashSession } from '../../../src/platform/access/credentials.ts';
import { Client } from '../../client.ts';
import { Application, makeVerifier, questionAt, signedIn as signedInByToken } from '../oauth/application.ts';
import { scimOf } from '../scim/scim-client.ts';
import { prove, signIn, ssoWorld } from './arrange.ts';
import { Browser } from './browser.ts';

// What was made in an SSO session ends with the membership, and what is made while the session ends does not outlive
// it.

const made = await ssoWorld({ defaultRole: 'edit' });
const { app, admin, editor, reader, url, organizationId, idp, startUrl, signedIn } = made;
const { db } = app.services;
const robot = await Application.register(url);
const members = `/v1/orgs/${organizationId}/members`;
const { body: docs } = await admin.post(`/v1/orgs/${organizationId}/sites`, { title: 'Docs' });
const site = `/v1/orgs/${organizationId}/sites/${docs.id}`;

const viewerIn = async (browser: Browser) => {
  const response = await browser.open('/v1/user');
  return { status: response.status, id: ((await response.json()) as { id?: string }).id ?? '' };
};

const createToken = (browser: Browser) => browser.submit('/account/tokens', { label: 'CI', days: '30' });

async function clientOf(created: Response): Promise<Client> {
  return new Client(url, /<code>(stemma_[\w-]+)<\/code>/.exec(await created.text())?.[1]);
}

/** Ends a session as another process does, so that this one still accepts it for some seconds. */
async function endElsewhere(browser: Browser): Promise<void> {
  expect((await viewerIn(browser)).status).toBe(200);
  const secretHash = hashSession(browser.cookie('stemma_session') ?? '');
  const { numDeletedRows } = await db.deleteFrom('session').where('secretHash', '=', secretHash).executeTakeFirst();
  expect(numDeletedRows).toBe(1n);
  expect((await viewerIn(browser)).status).toBe(200);
}

test('SSO sessions, tokens and applications of a removed member do not work again after the next sign-in', async () => {
  const browser = await signedIn('leaked@acme.example', 'Leaked');
  const { id } = await viewerIn(browser);
  const client = await clientOf(await createToken(browser));
  const { access_token: token, refresh_token: refresh } = await robot.connect(browser);
  const application = new Client(url, token);
  expect([(await client.get('/v1/user')).status, (await application.get('/v1/user')).status]).toEqual([200, 200]);
  expect((await admin.delete(`${members}/${id}`)).status).toBe(204);
  const again = await signedIn('leaked@acme.example', 'Leaked');
  expect(await viewerIn(again)).toEqual({ status: 200, id });
  expect((await viewerIn(browser)).status).toBe(401);
  expect([(await client.get('/v1/user')).status, (await application.get('/v1/user')).status]).toEqual([401, 401]);
  expect((await robot.refresh(refresh)).status).toBe(400);
});

test('a session that has ended elsewhere creates no token', async () => {
  for (const browser of [await signedIn('token@acme.example'), await signedInByToken(url, editor.token)]) {
    await endElsewhere(browser);
    const created = await createToken(browser);
    expect([created.status, await created.text()]).toEqual([403, expect.stringContaining('session has ended')]);
  }
});

test('a session that has ended elsewhere connects no application', async () => {
  const browser = await signedIn('application@acme.example');
  const { id } = await viewerIn(browser);
  const { path, account, sso } = await questionAt(browser, robot.addressFor(makeVerifier()));
  await endElsewhere(browser);
  expect((await browser.submit(path, { account, sso, decision: 'allow', reach: 'all' })).status).toBe(403);
  expect(await db.selectFrom('oauth_grant').where('userId', '=', id).select('id').execute()).toEqual([]);
});

/** Sends JSON with a session and with an access token of a user, which have both ended elsewhere. */
async function sentAfterTheEnd(
  owner: Client,
  path: string,
  body: unknown,
): Promise<{ status: number; text: string }[]> {
  const browser = await signedInByToken(url, owner.token);
  await endElsewhere(browser);
  const { body: token } = await owner.post('/v1/user/tokens', { label: 'Revoked' });
  const client = new Client(url, token.secret);
  expect((await client.get('/v1/user')).status).toBe(200);
  await db.deleteFrom('api_token').where('id', '=', token.id).execute();
  const [bySession, byToken] = [await browser.sendJson(path, body), await client.post(path, body)];
  return [
    { status: bySession.status, text: await bySession.text() },
    { status: byToken.status, text: JSON.stringify(byToken.body) },
  ];
}

const REFUSED = [
  { status: 403, text: expect.stringContaining('This session has ended') },
  { status: 403, text: expect.stringContaining('This access token has ended') },
];

test.each([
  ['an access token', '/v1/user/tokens', { label: 'CI' }],
  ['a SCIM token', `/v1/orgs/${organizationId}/scim-tokens`, { label: 'Directory' }],
  ['a link that signs others in', `/v1/users/${editor.userId}/sign-in-links`, {}],
  ['an account', '/v1/users', { email: 'accomplice@acme.example', displayName: 'Accomplice' }],
  ['an invitation', `/v1/orgs/${organizationId}/invites`, { emails: ['accomplice@home.example'], role: 'admin' }],
  ['an invite link', `/v1/orgs/${organizationId}/link-invites`, { role: 'admin' }],
  ['a webhook', `/v1/orgs/${organizationId}/webhooks`, { url: 'https://hooks.example.com/' }],
  ['a share link', `${site}/share-links`, { name: 'Friends' }],
  ['a key of a site', `${site}/publishing/auth/regenerate`, undefined],
  ['an organization', '/v1/orgs', { title: 'Accomplices' }],
  ['a public site', `${site}/publish`, undefined],
])('a session or access token that has ended elsewhere does not make %s', async (_what, path, body) => {
  expect(await sentAfterTheEnd(admin, path, body)).toEqual(REFUSED);
});

test('a session or access token that has ended elsewhere verifies no address of an account', async () => {
  const users = () => db.selectFrom('user').orderBy('id').select(['id', 'email']).execute();
  await reader.patch(`/v1/users/${reader.userId}`, { email: 'thief@acme.example' });
  const before = await users();
  const path = `/v1/users/${reader.userId}/confirm-email`;
  expect(await sentAfterTheEnd(admin, path, { email: 'thief@acme.example' })).toEqual(REFUSED);
  const variables = { input: { userId: reader.userId, email: 'thief@acme.example' } };
  const query = 'mutation($input: UpdateUserInput!) { updateUser(input: $input) { user { id } } }';
  for (const { text } of await sentAfterTheEnd(admin, '/graphql', { query, variables }))
    expect(text).toMatch(/"FORBIDDEN"/);
  const invited = await admin.post(`/v1/orgs/${organizationId}/invites`, { emails: ['thief@acme.example'] });
  const [, inviteId, secret] = /#(\w+)\.([\w-]+)$/.exec(invited.body.invites[0].url) ?? [];
  expect(await sentAfterTheEnd(reader, `/v1/invites/${inviteId}/accept`, { secret })).toEqual(REFUSED);
  expect(await users()).toEqual(before);
});

test('a session that has ended elsewhere links no subject to its account', async () => {
  const browser = await signedInByToken(url, editor.token);
  idp.signIn('editor@acme.example');
  const html = await (await signIn(browser, startUrl)).text();
  expect(html).toContain('value="session"');
  await endElsewhere(browser);
  expect((await prove(browser, html, { proof: 'session' })).status).toBe(403);
  expect(await db.selectFrom('sso_identity').where('userId', '=', editor.userId).selectAll().execute()).toEqual([]);
});

test('a token that is revoked while it proves an account proves nothing', async () => {
  const { body: token } = await editor.post('/v1/user/tokens', { label: 'Proof' });
  const browser = new Browser(url);
  idp.signIn('editor@acme.example');
  const html = await (await signIn(browser, startUrl)).text();
  let proven: Promise<Response> | undefined;
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('api_token').where('id', '=', token.id).execute();
    proven = prove(browser, html, { proof: 'token', token: token.secret });
    await expect.poll(waitingForLocks).toBe(1);
  });
  expect(await (await proven)?.text()).toContain('value="token"');
  expect(await db.selectFrom('sso_identity').where('userId', '=', editor.userId).selectAll().execute()).toEqual([]);
});

test('a session that ends while a token is created creates none', async () => {
  const browser = await signedIn('waits@acme.example');
  const { id } = await viewerIn(browser);
  let created: Promise<Response> | undefined;
  await db.transaction().execute(async (transaction) => {
    // As a change by SCIM does both.
    await transaction.updateTable('membership').set({ email: 'x@acme.example' }).where('userId', '=', id).execute();
    await transaction.deleteFrom('session').where('userId', '=', id).execute();
    created = createToken(browser);
    await expect.poll(waitingForLocks).toBe(1);
  });
  expect((await created)?.status).toBe(403);
  expect(await db.selectFrom('api_token').where('userId', '=', id).select('id').execute()).toEqual([]);
});

test('a token that is created while SCIM gives the name of the member away is revoked with the others', async () => {
  const scim = await scimOf(admin, organizationId);
  // Only the name changes, so that SCIM writes neither the membership nor the account.
  const [name, email, displayName] = ['given.away', 'stays@acme.example', 'Stays'];
  const user = await scim.user(name, { displayName, emails: [{ value: email, primary: true }] });
  idp.signIn(email, displayName, name);
  const browser = new Browser(url);
  await signIn(browser, startUrl);
  expect((await viewerIn(browser)).id).toBe(user.id);
  let created: Promise<Response> | undefined;
  let renamed: Promise<{ status: number }> | undefined;
  await db.transaction().execute(async (transaction) => {
    // The statement that creates the token waits for the account.
    await transaction.selectFrom('user').where('id', '=', user.id).select('id').forUpdate().execute();
    created = createToken(browser);
    await expect.poll(waitingForLocks).toBe(1);
    renamed = scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'userName', value: 'kept' }]);
    await expect.poll(waitingForLocks).toBe(2);
  });
  const client = created && (await clientOf(await created));
  expect((await renamed)?.status).toBe(200);
  expect(client?.token).toBeDefined();
  expect((await client?.get('/v1/user'))?.status).toBe(401);
});

async function waitingForLocks(): Promise<number> {
  const row = await db
    .selectFrom('pg_stat_activity' as never) // a view of the server's own
    .where('wait_event_type' as never, '=', 'Lock' as never)
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .executeTakeFirst();
  return Number(row?.waiting);
}
