import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Client } from '../../client.ts';
import { prove, signIn, ssoWorld } from './arrange.ts';
import { Browser } from './browser.ts';

const made = await ssoWorld({ defaultRole: 'admin' });
const { app, admin, creator, editor, commenter, guest, outsider, anonymous, url, organizationId } = made;
const { idp, providerId, startUrl, signedIn } = made;
const { db } = app.services;

const members = `/v1/orgs/${organizationId}/members`;
const ASKS = /Is this your account\?/;

/** Signs in at the identity provider with a new browser, and answers it with the page that it ends on. */
async function arrive(email: string, nameId = email, browser = new Browser(url)) {
  idp.signIn(email, email, nameId);
  const page = await signIn(browser, startUrl);
  return { browser, status: page.status, html: await page.text() };
}

/** A client with a token that the browser's session creates. */
async function clientOf(browser: Browser): Promise<Client> {
  const page = await browser.submit('/account/tokens', { label: 'CI', days: '30' });
  const secret = /<code>(stemma_[\w-]+)<\/code>/.exec(await page.text())?.[1] ?? '';
  const { body } = await new Client(url, secret).get('/v1/user');
  return new Client(url, secret, body.id);
}

const membershipOf = (userId: string) =>
  db
    .selectFrom('membership')
    .where('userId', '=', userId)
    .where('organizationId', '=', organizationId)
    .selectAll()
    .executeTakeFirst();

test('find: sign-in by a claimed address: who claims the address of another person has nothing of what the provider of that person gives', async () => {
  // The attacker is no member. He claims the address on an account of his own, with a token and a webhook of his own.
  const attacker = outsider;
  expect((await attacker.patch(`/v1/users/${attacker.userId}`, { email: 'ceo@corp.example' })).status).toBe(200);
  const ceo = await clientOf(await signedIn('ceo@corp.example', 'The CEO'));
  expect(ceo.userId).not.toBe(attacker.userId);
  expect((await ceo.get('/v1/user')).body).toMatchObject({ displayName: 'The CEO', email: 'ceo@corp.example' });
  expect((await ceo.patch(`/v1/orgs/${organizationId}`, { title: 'Acme' })).status).toBe(200);
  const tries = [
    ['GET', `/v1/orgs/${organizationId}`],
    ['GET', members],
    ['GET', `/v1/orgs/${organizationId}/spaces`],
    ['POST', `/v1/orgs/${organizationId}/webhooks`],
  ] as const;
  for (const [method, path] of tries) {
    const body = method === 'POST' ? { url: 'https://evil.example/', events: ['member_joined'] } : undefined;
    expect([path, (await attacker.send(method, path, body)).status]).toEqual([path, 404]);
  }
  const found = (await admin.get(`${members}?search=ceo@corp.example`)).body.items;
  expect(found.map(({ id }: { id: string }) => id)).toEqual([ceo.userId]);
});

test('a claimed address blocks neither a sign-in, an invitation, nor an operator who creates the account', async () => {
  const email = 'blocked@corp.example';
  expect((await creator.patch(`/v1/users/${creator.userId}`, { email })).status).toBe(200);
  const bySso = await clientOf(await signedIn(email));
  expect(bySso.userId).not.toBe(creator.userId);
  const invited = await admin.post(`/v1/orgs/${organizationId}/invites`, { emails: [email] });
  expect([invited.status, invited.body.invited, invited.body.users]).toEqual([200, 1, []]);
  expect((await admin.post('/v1/users', { email, displayName: 'Blocked' })).status).toBe(201);
});

test('find: sign-in by a remembered subject: the subject is remembered: a person with a new address or name has the same account', async () => {
  const first = await clientOf((await arrive('maiden@corp.example', 'person-17')).browser);
  const second = await clientOf((await arrive('married@corp.example', 'person-17')).browser);
  expect(second.userId).toBe(first.userId);
  expect(await membershipOf(first.userId)).toMatchObject({ email: 'married@corp.example' });
  const [identity] = await db.selectFrom('sso_identity').where('subject', '=', 'person-17').selectAll().execute();
  expect(identity).toMatchObject({ samlProviderId: providerId, issuer: idp.entityId, kind: 'name-id', organizationId });
});

test('another person with the same address has another account', async () => {
  const first = await clientOf((await arrive('info@corp.example', 'person-1')).browser);
  const second = await clientOf((await arrive('info@corp.example', 'person-2')).browser);
  expect(second.userId).not.toBe(first.userId);
});

test('a transient NameID names nobody: the address does', async () => {
  const transient = { nameIdentifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' };
  const userIds = [];
  for (const nameId of ['_first', '_second']) {
    idp.signIn('Passing@corp.example', 'Passing', nameId);
    const browser = new Browser(url);
    const address = (await browser.open(startUrl)).headers.get('location') ?? '';
    const response = Buffer.from(await idp.respond(address, transient)).toString('base64');
    await browser.follow(await browser.submit(made.acsUrl, { SAMLResponse: response }, 'null'));
    userIds.push((await clientOf(browser)).userId);
  }
  expect(new Set(userIds).size).toBe(1);
  const rows = await db
    .selectFrom('sso_identity')
    .where('userId', '=', userIds[0] ?? '')
    .selectAll()
    .execute();
  expect(rows).toMatchObject([{ kind: 'email', subject: 'passing@corp.example' }]);
});

test('find: sign-in by a verified address: an account with the verified address is not linked without proof, and the page shows nothing of it', async () => {
  const { browser, status, html } = await arrive('editor@acme.example');
  expect([status, html]).toEqual([200, expect.stringMatching(ASKS)]);
  expect(html).toContain('editor@acme.example');
  for (const secret of [editor.userId, 'Editor', 'signed in to it']) expect(html).not.toContain(secret);
  expect(browser.cookie('stemma_session')).toBeUndefined();
  const wrong = await prove(browser, html, { proof: 'token', token: outsider.token ?? '' });
  expect([wrong.status, await wrong.text()]).toEqual([403, expect.stringContaining('does not prove that the account')]);
  const unproven: Record<string, string>[] = [
    { proof: 'session' },
    { proof: 'token', token: 'stemma_x' },
    { proof: 'token' },
  ];
  for (const fields of unproven) {
    expect((await prove(browser, html, fields)).status).toBe(403);
  }
  expect((await prove(browser, html, { proof: 'what' })).status).toBe(400);
  expect(await db.selectFrom('sso_identity').where('userId', '=', editor.userId).selectAll().execute()).toEqual([]);
  expect(await membershipOf(editor.userId)).toMatchObject({ isSso: false, email: null });
});

test('link: access token: an access token of the account proves it, once for all sign-ins', async () => {
  const { browser, html } = await arrive('editor@acme.example');
  const proven = await prove(browser, html, { proof: 'token', token: editor.token ?? '' });
  expect([proven.status, proven.headers.get('location')]).toEqual([303, '/account']);
  expect((await clientOf(browser)).userId).toBe(editor.userId);
  expect((await prove(browser, html, { proof: 'token', token: editor.token ?? '' })).status).toBe(403);
  const again = await arrive('editor@acme.example');
  expect(again.html).not.toMatch(ASKS);
  expect((await clientOf(again.browser)).userId).toBe(editor.userId);
  const linked = await made.eventsBy('type=sso_identity_linked');
  expect(linked.at(-1)).toMatchObject({ ids: { userId: editor.userId, samlProviderId: providerId } });
});

test('another browser, another site and a late answer prove nothing', async () => {
  const token = commenter.token ?? '';
  const { browser, html } = await arrive('commenter@acme.example');
  const code = /name="code" value="([\w-]+)"/.exec(html)?.[1] ?? '';
  const fields = { code, proof: 'token', token };
  const other = new Browser(url);
  await other.open(startUrl);
  expect((await other.submit('/sso/finish', fields)).status).toBe(403);
  expect((await browser.submit('/sso/finish', fields, 'https://evil.example')).status).toBe(403);
  made.advance(601_000);
  expect((await browser.submit('/sso/finish', fields)).status).toBe(403);
  made.advance(-601_000);
  expect(await membershipOf(commenter.userId)).toMatchObject({ isSso: false });
});

test('link: session: a session of the account proves it, after a click', async () => {
  // A session without SSO begins with an invitation.
  const { body } = await admin.post(`/v1/orgs/${organizationId}/invites`, {
    emails: ['hedy@corp.example'],
    role: 'read',
  });
  expect(body.invited).toBe(1);
  const { items } = (await admin.get(`/v1/orgs/${organizationId}/invites`)).body;
  const link = items.find(({ email }: { email: string }) => email === 'hedy@corp.example').url;
  const [, inviteId = '', secret = ''] = /\/invite#(emailinvite_\w+)\.([\w-]+)/.exec(link) ?? [];
  const browser = new Browser(url);
  await browser.submit('/invite', { inviteId, secret, displayName: 'Hedy' });
  const own = browser.cookie('stemma_session');
  const hedy = await db
    .selectFrom('user')
    .where('email', '=', 'hedy@corp.example')
    .selectAll()
    .executeTakeFirstOrThrow();
  const page = await arrive('hedy@corp.example', 'hedy@corp.example', browser);
  expect(page.html).toContain('You are signed in to it in this browser.');
  expect(browser.cookie('stemma_session')).toBe(own);
  expect((await prove(browser, page.html, { proof: 'session' })).status).toBe(303);
  expect((await clientOf(browser)).userId).toBe(hedy.id);
  expect(await membershipOf(hedy.id)).toMatchObject({ role: 'read', roleProviderId: null, isSso: true });
});

/** Another provider of the organization, where the same people are known. */
async function anotherProvider(): Promise<{ id: string; startUrl: string }> {
  const { body } = await admin.post(`/v1/orgs/${organizationId}/saml`, {
    label: 'Second',
    entityID: idp.entityId,
    certificate: idp.credentials.certificate,
    ssoURL: idp.ssoUrl,
    defaultRole: 'read',
  });
  return { id: body.id, startUrl: body.service.startURL };
}

test('a session and a token that were made with SSO prove nothing', async () => {
  const second = await anotherProvider();
  const bySso = await clientOf((await arrive('editor@acme.example')).browser);
  expect(bySso.userId).toBe(editor.userId);
  const { browser } = await arrive('editor@acme.example');
  const page = await signIn(browser, second.startUrl);
  const html = await page.text();
  expect(html).toMatch(ASKS);
  expect(html).not.toContain('You are signed in to it');
  expect((await prove(browser, html, { proof: 'session' })).status).toBe(403);
  expect((await prove(browser, html, { proof: 'token', token: bySso.token ?? '' })).status).toBe(403);
  await admin.delete(`/v1/orgs/${organizationId}/saml/${second.id}`);
});

test('make: sign-in beside an existing account: without the account, a person can go on with a new one, which has nothing of it', async () => {
  const { browser, html } = await arrive('admin@acme.example', 'other-admin');
  expect((await prove(browser, html, { proof: 'new' })).status).toBe(303);
  const other = await clientOf(browser);
  expect(other.userId).not.toBe(admin.userId);
  const user = await db.selectFrom('user').where('id', '=', other.userId).selectAll().executeTakeFirst();
  expect(user).toMatchObject({ email: null, unverifiedEmail: null, isOperator: false });
  // It is remembered, so that the next sign-in asks no more.
  expect((await clientOf((await arrive('admin@acme.example', 'other-admin')).browser)).userId).toBe(other.userId);
});

test('two sign-ins of a new person at the same time make one account', async () => {
  idp.signIn('twin@corp.example', 'Twin');
  const browsers = await Promise.all(
    [1, 2, 3].map(async () => {
      const browser = new Browser(url);
      await signIn(browser, startUrl);
      return browser;
    }),
  );
  const userIds = [];
  for (const browser of browsers) userIds.push((await clientOf(browser)).userId);
  expect(new Set(userIds).size).toBe(1);
});

/** A member whose role the provider has given, with a token that was made without SSO. */
async function joinedBySso(email: string): Promise<{ bySso: Client; without: Client }> {
  const bySso = await clientOf(await signedIn(email));
  const { secret } = await admin.mutate('createApiToken', { userId: bySso.userId, label: 'Other' }, 'secret');
  return { bySso, without: new Client(url, secret, bySso.userId) };
}

test('a role that a provider gave counts for sessions and tokens made with it, one of an administrator for all', async () => {
  const { bySso, without } = await joinedBySso('worker@corp.example');
  expect((await bySso.get(members)).status).toBe(200);
  expect((await without.get(`/v1/orgs/${organizationId}`)).status).toBe(200);
  expect((await without.get(members)).status).toBe(403);
  expect((await without.patch(`/v1/orgs/${organizationId}`, { title: 'Mine' })).status).toBe(403);
  const space = (await bySso.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body.id;
  expect((await bySso.get(`/v1/spaces/${space}`)).status).toBe(200);
  const own = `${members}/${bySso.userId}`;
  expect((await admin.get(own)).body).toMatchObject({ role: 'admin', roleOfProvider: true });
  // The same role, now by an administrator.
  expect((await admin.patch(own, { role: 'admin' })).body).toMatchObject({ role: 'admin', roleOfProvider: false });
  expect((await without.get(members)).status).toBe(200);
});

test('a team that a provider added a member to counts for that provider alone, until an administrator adds them', async () => {
  const { id: teamId } = (await admin.put(`/v1/orgs/${organizationId}/teams`, { title: 'Writers' })).body;
  const { id: spaceId } = (await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Secret' })).body;
  await db.updateTable('space').set({ defaultLevel: 'none' }).where('id', '=', spaceId).execute();
  await admin.post(`/v1/spaces/${spaceId}/permissions`, { teams: [teamId], role: 'read' });
  const settings = `/v1/orgs/${organizationId}/saml/${providerId}`;
  await admin.patch(settings, { defaultTeam: teamId, defaultRole: null });
  const { bySso, without } = await joinedBySso('writer@corp.example');
  await admin.patch(settings, { defaultTeam: null, defaultRole: 'admin' });
  const statuses = async () => [
    (await bySso.get(`/v1/spaces/${spaceId}`)).status,
    (await without.get(`/v1/spaces/${spaceId}`)).status,
  ];
  expect(await statuses()).toEqual([200, 404]);
  await admin.put(`/v1/orgs/${organizationId}/teams/${teamId}/members/${bySso.userId}`, {});
  expect(await statuses()).toEqual([200, 200]);
});

test('under another provider of the organization, the role does not count either', async () => {
  const second = await anotherProvider();
  const { bySso, without } = await joinedBySso('both@corp.example');
  const row = { id: newId('token'), userId: bySso.userId, label: '', samlProviderId: second.id };
  const { hashToken } = await import('../../../src/platform/access/credentials.ts');
  await db
    .insertInto('api_token')
    .values({ ...row, secretHash: hashToken('stemma_second') })
    .execute();
  const bySecond = new Client(url, 'stemma_second');
  for (const [caller, status] of [
    [bySso, 200],
    [bySecond, 403],
    [without, 403],
  ] as const) {
    expect((await caller.get(members)).status).toBe(status);
  }
  await admin.delete(`/v1/orgs/${organizationId}/saml/${second.id}`);
});

test('deleting a provider ends the roles and memberships of teams that it gave', async () => {
  const second = await anotherProvider();
  idp.signIn('leaver@corp.example', 'Leaver');
  const browser = new Browser(url);
  await signIn(browser, second.startUrl);
  const leaver = await clientOf(browser);
  expect(await membershipOf(leaver.userId)).toMatchObject({ role: 'read', roleProviderId: second.id });
  expect((await admin.delete(`/v1/orgs/${organizationId}/saml/${second.id}`)).status).toBe(204);
  expect(await membershipOf(leaver.userId)).toMatchObject({ role: null, roleProviderId: null });
  const left = await db.selectFrom('sso_identity').where('samlProviderId', '=', second.id).selectAll().execute();
  expect(left).toEqual([]);
});

test('the last admin whose role no provider gave stays, and the last admin of a provider too', async () => {
  const others = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'admin')
    .where('roleProviderId', 'is', null)
    .where('userId', '!=', admin.userId)
    .select('userId')
    .execute();
  for (const { userId } of others) await admin.patch(`${members}/${userId}`, { role: 'read' });
  expect((await admin.patch(`${members}/${admin.userId}`, { role: 'read' })).status).toBe(409);
  await db
    .updateTable('membership')
    .set({ roleProviderId: providerId })
    .where('userId', '=', admin.userId)
    .where('organizationId', '=', organizationId)
    .execute();
  const bySso = await clientOf(await signedIn('ceo@corp.example'));
  expect((await bySso.delete(`/v1/orgs/${organizationId}/saml/${providerId}`)).status).toBe(409);
  await db.updateTable('membership').set({ roleProviderId: null }).where('userId', '=', admin.userId).execute();
});

test('a session of SSO makes the user a member of no other organization', async () => {
  const { bySso, without } = await joinedBySso('guesty@corp.example');
  const other = made.otherOrganizationId;
  await outsider.patch(`/v1/orgs/${other}`, { emailDomains: ['corp.example'] });
  await db.updateTable('user').set({ email: 'guesty@corp.example' }).where('id', '=', bySso.userId).execute();
  expect((await bySso.post(`/v1/orgs/${other}/join`)).status).toBe(403);
  await outsider.post(`/v1/orgs/${other}/invites`, { emails: ['someone@corp.example'] });
  const [invite] = (await outsider.get(`/v1/orgs/${other}/invites`)).body.items;
  const secret = invite.url.split('.').at(-1);
  expect((await bySso.post(`/v1/invites/${invite.id}/accept`, { secret })).status).toBe(403);
  expect((await without.post(`/v1/orgs/${other}/join`)).status).toBe(204);
  expect((await guest.get(`/v1/users/${bySso.userId}`)).body).not.toHaveProperty('email');
  expect((await anonymous.get(`/v1/users/${bySso.userId}`)).status).toBe(401);
});

test('rename: by a provider: the address of the membership changes, the verified one of the user does not', async () => {
  const email = 'renamed@corp.example';
  await admin.post('/v1/users', { email, displayName: 'Renamed' });
  const user = await db.selectFrom('user').where('email', '=', email).selectAll().executeTakeFirstOrThrow();
  const { secret } = await admin.mutate('createApiToken', { userId: user.id, label: 'Own' }, 'secret');
  const { browser, html } = await arrive(email, 'renamed-17');
  await prove(browser, html, { proof: 'token', token: secret });
  await arrive('other-name@corp.example', 'renamed-17');
  expect((await admin.get(`${members}/${user.id}`)).body).toMatchObject({
    email: 'other-name@corp.example',
    user: { email },
  });
});

test('find: first sign-in after an update: a member of before is linked once, by the address', async () => {
  const [id, memberId] = [newId('user'), newId('member')];
  const linkableEmail = 'former@corp.example';
  await db.insertInto('user').values({ id, email: null, displayName: 'Former' }).execute();
  await db
    .insertInto('membership')
    .values({ id: memberId, organizationId, userId: id, role: 'read', roleProviderId: 'saml_unknown', isSso: true })
    .execute();
  await db.updateTable('membership').set({ email: linkableEmail, linkableEmail }).where('id', '=', memberId).execute();
  const former = await clientOf((await arrive('Former@corp.example', 'former-1')).browser);
  expect(former.userId).toBe(id);
  expect(await membershipOf(id)).toMatchObject({ role: 'read', roleProviderId: providerId, linkableEmail: null });
  const other = await clientOf((await arrive('former@corp.example', 'former-2')).browser);
  expect(other.userId).not.toBe(id);
  expect((await clientOf((await arrive('x@corp.example', 'former-1')).browser)).userId).toBe(id);
});

test('a provider that is connected to another identity provider, or to none, ends its sessions and the sign-ins under way', async () => {
  const path = `/v1/orgs/${organizationId}/saml/${providerId}`;
  for (const [change, back] of [
    [{ entityID: 'https://other.example/metadata' }, { entityID: idp.entityId }],
    [{ certificate: null }, { certificate: idp.credentials.certificate }],
  ]) {
    const browser = await signedIn('stays@corp.example');
    expect((await browser.open('/v1/user')).status).toBe(200);
    expect((await admin.patch(path, { label: 'Renamed' })).status).toBe(200);
    expect((await browser.open('/v1/user')).status).toBe(200);
    expect((await admin.patch(path, change)).status).toBe(200);
    expect((await browser.open('/v1/user')).status).toBe(401);
    expect(await db.selectFrom('saml_request').where('samlProviderId', '=', providerId).selectAll().execute()).toEqual(
      [],
    );
    expect((await admin.patch(path, back)).status).toBe(200);
  }
});
