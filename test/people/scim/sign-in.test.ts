import { expect, test } from 'vitest';
import { hashToken } from '../../../src/platform/access/credentials.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Client } from '../../client.ts';
import { settled } from '../../settled.ts';
import { startSecond } from '../access/second-process.ts';
import { prove, signIn, ssoWorld } from '../sso/arrange.ts';
import { Browser } from '../sso/browser.ts';
import { formIn } from '../sso/identity-provider.ts';
import { scimOf, USER } from './scim-client.ts';

const made = await ssoWorld({ defaultRole: 'edit' });
const { app, admin, commenter, editor, outsider, url, organizationId, idp, startUrl, providerId, signedIn } = made;
const { db } = app.services;
const second = await startSecond(made.databaseUrl);

/** Signs in at the identity provider with a new browser, and answers it with the page that it ends on. */
async function arrive(email: string, nameId = email) {
  idp.signIn(email, email, nameId);
  const browser = new Browser(url);
  const page = await signIn(browser, startUrl);
  return { browser, html: await page.text() };
}

const viewerOf = async (browser: Browser) => {
  const response = await browser.open('/v1/user');
  return { status: response.status, body: (await response.json()) as { id?: string; displayName?: string } };
};

/** A client with a token that the browser's session creates. */
async function clientOf(browser: Browser): Promise<Client> {
  const page = await browser.submit('/account/tokens', { label: 'CI', days: '30' });
  return new Client(url, /<code>(stemma_[\w-]+)<\/code>/.exec(await page.text())?.[1] ?? '');
}

const members = `/v1/orgs/${organizationId}/members`;

// Where SCIM makes the members, signing in does not.
const { id: joinedId = '' } = (await viewerOf(await signedIn('joined@corp.example'))).body;
const scim = await scimOf(admin, organizationId);

test('make: provisioning by SCIM: a person who is no member gets an account without a verified address, and a membership with the default role', async () => {
  await admin.patch(`/v1/orgs/${organizationId}`, { defaultRole: 'read' });
  const user = await scim.user('new@corp.example', { displayName: 'New' });
  const account = await db.selectFrom('user').where('id', '=', user.id).selectAll().executeTakeFirstOrThrow();
  expect([account.email, account.unverifiedEmail]).toEqual([null, null]);
  const { body } = await admin.get(`${members}/${user.id}`);
  expect(body).toMatchObject({ email: 'new@corp.example', role: 'read', sso: true });
  // Who claims the address neither gets the account nor keeps the person from it.
  const claimed = await outsider.patch(`/v1/users/${outsider.userId}`, { email: 'new@corp.example' });
  expect(claimed.status).toBe(200);
  const { html } = await arrive('new@corp.example', 'first');
  expect(html).not.toContain('Is this your account?');
  expect((await viewerOf(await signedIn('new@corp.example', 'New'))).status).toBe(401);
  expect((await outsider.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
  const linked = await db.selectFrom('sso_identity').where('subject', '=', 'first').selectAll().execute();
  expect(linked).toMatchObject([{ userId: user.id }]);
});

test('find: sign-in of a provisioned person: the account that SCIM has made is that of the person whom the provider of the organization names by the address, once', async () => {
  const user = await scim.user('t.hopper', { emails: [{ value: 'hopper@corp.example', primary: true }] });
  const browser = await signedIn('HOPPER@corp.example', 'Hopper');
  expect((await viewerOf(browser)).body.id).toBe(user.id);
  expect((await viewerOf(await signedIn('hopper@corp.example'))).body.id).not.toBe(user.id);
  const linked = await db.selectFrom('sso_identity').where('userId', '=', user.id).selectAll().execute();
  expect(linked).toMatchObject([{ samlProviderId: providerId, subject: 'HOPPER@corp.example' }]);
});

test('another person of the provider with the address of a provisioned one is refused, and gets no second account', async () => {
  const user = await scim.user('twin@corp.example');
  await signedIn('twin@corp.example');
  const { html, browser } = await arrive('twin@corp.example', 'another NameID');
  expect(html).toContain('another person has signed in as this member');
  expect((await viewerOf(browser)).status).toBe(401);
  expect(await scim.find('Users', 'userName eq "twin@corp.example"')).toMatchObject([{ id: user.id }]);
});

test('a person who has verified the address elsewhere is not taken over: the provisioned account is another', async () => {
  const { body } = await admin.post('/v1/users', { email: 'owner@corp.example', displayName: 'Owner' });
  const user = await scim.user('owner@corp.example');
  expect(user.id).not.toBe(body.id);
  expect((await viewerOf(await signedIn('owner@corp.example'))).body.id).toBe(user.id);
});

test('find: provisioning of a member: the member with the address is the user, and a sign-in still has to prove the account', async () => {
  const user = await scim.user('commenter@acme.example', { displayName: 'Other' });
  expect(user.id).toBe(commenter.userId);
  const { html } = await arrive('commenter@acme.example');
  expect(html).toContain('Is this your account?');
  expect((await commenter.get('/v1/user')).body).toMatchObject({ displayName: 'Commenter' });
  const proven = await signedIn('commenter@acme.example', 'Commenter', commenter.token);
  expect((await viewerOf(proven)).body.id).toBe(commenter.userId);
});

test('rename: by SCIM: the address of the membership changes, and the name of an account that SCIM has made', async () => {
  const user = await scim.user('before@corp.example', { displayName: 'Before' });
  const patched = await scim.patch(`/Users/${user.id}`, [
    { op: 'replace', path: 'userName', value: 'after@corp.example' },
    { op: 'replace', path: 'displayName', value: 'After' },
  ]);
  expect(patched.status).toBe(200);
  const { body } = await admin.get(`${members}/${user.id}`);
  expect(body).toMatchObject({ email: 'after@corp.example', user: { displayName: 'After' } });
  expect((await viewerOf(await signedIn('after@corp.example'))).body.id).toBe(user.id);
  await db.updateTable('user').set({ email: 'mine@home.example' }).where('id', '=', user.id).execute();
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'displayName', value: 'Again' }]);
  const account = await db.selectFrom('user').where('id', '=', user.id).selectAll().executeTakeFirstOrThrow();
  expect([account.displayName, account.email]).toEqual(['After', 'mine@home.example']);
});

test('deactivation ends the sessions and tokens of SSO, and a sign-in is refused until the member is active again', async () => {
  const user = await scim.user('leaver@corp.example');
  const browser = await signedIn('leaver@corp.example');
  const client = await clientOf(browser);
  expect((await client.get('/v1/user')).body.id).toBe(user.id);
  await scim.patch(`/Users/${user.id}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
  expect((await viewerOf(browser)).status).toBe(401);
  expect((await client.get('/v1/user')).status).toBe(401);
  expect(await db.selectFrom('session').where('userId', '=', user.id).selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('api_token').where('userId', '=', user.id).selectAll().execute()).toEqual([]);
  expect((await arrive('leaver@corp.example')).html).toContain('membership in this organization is disabled');
  await scim.patch(`/Users/${user.id}`, [{ op: 'Replace', path: 'active', value: 'True' }]);
  expect((await viewerOf(await signedIn('leaver@corp.example'))).body.id).toBe(user.id);
});

test('deactivation ends no session or token of the person outside of the SSO of the organization', async () => {
  const before = (await commenter.get('/v1/user')).status;
  const sso = await signedIn('commenter@acme.example');
  await scim.patch(`/Users/${commenter.userId}`, [{ op: 'replace', path: 'active', value: false }]);
  expect((await viewerOf(sso)).status).toBe(401);
  expect([before, (await commenter.get('/v1/user')).status]).toEqual([200, 200]);
  expect((await commenter.get(members)).status).toBe(404);
  await scim.patch(`/Users/${commenter.userId}`, [{ op: 'replace', path: 'active', value: true }]);
  expect((await commenter.get(members)).status).toBe(200);
});

test('a person who was removed and provisioned again is a new user, also at the next sign-in', async () => {
  const first = await scim.user('again@corp.example');
  const browser = await signedIn('again@corp.example');
  expect((await scim.delete(`/Users/${first.id}`)).status).toBe(204);
  expect((await viewerOf(browser)).status).toBe(401);
  const second = await scim.post('/Users', { schemas: [USER], userName: 'again@corp.example' });
  expect(second.status).toBe(201);
  expect(second.body.id).not.toBe(first.id);
  expect((await viewerOf(await signedIn('again@corp.example'))).body.id).toBe(second.body.id);
  expect((await scim.get(`/Users/${first.id}`)).status).toBe(404);
});

/** A sign-in whose response was accepted, up to the redirect that ends it. */
async function pending(email: string) {
  idp.signIn(email, email, email);
  const browser = new Browser(url);
  const atProvider = await browser.follow(await browser.open(startUrl));
  const { action, fields } = formIn(await atProvider.text());
  const answer = await browser.submit(action, fields, new URL(atProvider.url).origin);
  const location = answer.headers.get('location') ?? '';
  expect(location).toContain('/sso/finish?code=');
  return { browser, finish: async () => (await browser.open(location)).text() };
}

const setActive = (id: string, active: boolean) =>
  scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: active }]);

test('a former name or address is that of a new person, and the renamed one signs in with the new one', async () => {
  const user = await scim.user('maiden@corp.example');
  expect((await viewerOf((await arrive('maiden@corp.example', 'MAIDEN@corp.example')).browser)).body.id).toBe(user.id);
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'userName', value: 'married@corp.example' }]);
  const hired = await scim.user('maiden@corp.example');
  expect((await viewerOf((await arrive('maiden@corp.example', 'MAIDEN@corp.example')).browser)).body.id).toBe(hired.id);
  expect((await viewerOf(await signedIn('married@corp.example'))).body.id).toBe(user.id);
  const unlinked = await made.eventsBy('type=sso_identity_unlinked');
  expect(unlinked.at(-1)).toMatchObject({ ids: { userId: user.id, samlProviderId: providerId } });
});

test('the former address of a member whom SCIM did not manage yet is given up as well', async () => {
  const patched = await scim.patch(`/Users/${joinedId}`, [
    { op: 'replace', path: 'userName', value: 'joined.anew@corp.example' },
    { op: 'replace', path: 'emails', value: [{ value: 'joined.anew@corp.example' }] },
  ]);
  expect(patched.status).toBe(200);
  expect(await db.selectFrom('sso_identity').where('userId', '=', joinedId).selectAll().execute()).toEqual([]);
  const hired = await scim.user('joined@corp.example');
  expect((await viewerOf(await signedIn('joined@corp.example'))).body.id).toBe(hired.id);
  expect((await viewerOf(await signedIn('joined.anew@corp.example'))).body.id).toBe(joinedId);
});

test('a sign-in makes no member where SCIM makes them', async () => {
  const { browser, html } = await arrive('unassigned@corp.example');
  expect(html).toContain('No member of your organization has the address unassigned@corp.example');
  expect((await viewerOf(browser)).status).toBe(401);
  expect(await scim.find('Users', 'userName eq "unassigned@corp.example"')).toEqual([]);
});

test('the address from before subjects were remembered is given up with a rename', async () => {
  const user = await scim.user('early@corp.example');
  const linkable = { linkableEmail: 'early@corp.example' };
  await db.updateTable('membership').set(linkable).where('userId', '=', user.id).execute();
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'userName', value: 'late@corp.example' }]);
  const hired = await scim.user('early@corp.example');
  expect((await viewerOf(await signedIn('early@corp.example'))).body.id).toBe(hired.id);
  expect((await viewerOf(await signedIn('late@corp.example'))).body.id).toBe(user.id);
});

test('a rename ends the SSO sessions and tokens that the former name may have started', async () => {
  const user = await scim.user('given-away@corp.example');
  const browser = await signedIn('given-away@corp.example');
  const client = await clientOf(browser);
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'userName', value: 'kept@corp.example' }]);
  expect([(await viewerOf(browser)).status, (await client.get('/v1/user')).status]).toEqual([401, 401]);
  const [ended, revoked] = [
    await made.eventsBy('type=session_ended'),
    await made.eventsBy('type=api_token_revoked'),
  ].map((events) => events.filter(({ ids }) => ids.userId === user.id));
  expect([ended?.length, revoked?.length]).toEqual([1, 1]);
});

test('an address that SCIM no longer gives leads to nobody', async () => {
  const user = await scim.user('alice', { emails: [{ value: 'shared@corp.example' }] });
  await scim.patch(`/Users/${user.id}`, [{ op: 'remove', path: 'emails' }]);
  expect((await admin.get(`${members}/${user.id}`)).body.email).toBeUndefined();
  const { browser, html } = await arrive('shared@corp.example');
  expect(html).toContain('No member of your organization');
  expect((await viewerOf(browser)).status).toBe(401);
});

test('a provider whose issuer changes signs the same members in', async () => {
  const user = await scim.user('migrated@corp.example');
  await signedIn('migrated@corp.example');
  await db
    .updateTable('sso_identity')
    .set({ issuer: 'https://former.example' })
    .where('userId', '=', user.id)
    .execute();
  expect((await viewerOf(await signedIn('migrated@corp.example'))).body.id).toBe(user.id);
});

test('an admin who would have no way to sign in after a rename is not renamed', async () => {
  const user = await scim.user('chief@corp.example');
  await signedIn('chief@corp.example');
  await admin.patch(`${members}/${user.id}`, { role: 'admin' });
  const rename = () =>
    scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'userName', value: 'head@corp.example' }]);
  expect((await rename()).status).toBe(409);
  expect((await viewerOf(await signedIn('chief@corp.example'))).body.id).toBe(user.id);
  await admin.patch(`${members}/${user.id}`, { role: 'read' });
  expect((await rename()).status).toBe(200);
  expect((await viewerOf(await signedIn('head@corp.example'))).body.id).toBe(user.id);
});

test('a sign-in leaves the address as SCIM gave it', async () => {
  const user = await scim.user('Case@corp.example');
  await signedIn('case@corp.example');
  expect((await admin.get(`${members}/${user.id}`)).body.email).toBe('Case@corp.example');
});

test('an account with the address of a managed member does not join beside it', async () => {
  const path = `/v1/orgs/${organizationId}`;
  const { body: other } = await admin.post('/v1/users', { email: 'twice@corp.example', displayName: 'Twice' });
  const { body: token } = await admin.post('/v1/user/tokens', { userId: other.id, label: 'Own' });
  const user = await scim.user('twice@corp.example');
  await setActive(user.id, false);
  await admin.patch(path, { inviteLinks: true });
  const { body: link } = await admin.post(`${path}/link-invites`, { role: 'read' });
  const joined = await new Client(url, token.secret).post(`${path}/invites/${link.id}`);
  expect([joined.status, joined.body.error?.message]).toEqual([409, expect.stringContaining('manages a member')]);
  expect(await scim.find('Users', 'userName eq "twice@corp.example"')).toMatchObject([{ id: user.id }]);
});

test('a change of other attributes forgets no subject', async () => {
  const user = await scim.user('steady@corp.example');
  await signedIn('steady@corp.example');
  const before = await made.eventsBy('type=sso_identity_unlinked');
  await scim.patch(`/Users/${user.id}`, [
    { op: 'replace', path: 'title', value: 'T' },
    { op: 'replace', path: 'userName', value: 'STEADY@corp.example' },
    { op: 'add', path: 'emails', value: [{ value: 'steady@corp.example' }] },
  ]);
  expect(await made.eventsBy('type=sso_identity_unlinked')).toEqual(before);
  expect((await viewerOf(await signedIn('steady@corp.example'))).body.id).toBe(user.id);
});

test('a person whom an administrator removed and SCIM provisions again has one account, the new one', async () => {
  const first = await scim.user('returned@corp.example');
  await arrive('returned@corp.example', 'returned');
  expect((await admin.delete(`${members}/${first.id}`)).status).toBe(204);
  const again = await scim.user('returned@corp.example');
  expect((await viewerOf((await arrive('returned@corp.example', 'returned')).browser)).body.id).toBe(again.id);
  expect((await admin.get(`${members}/${first.id}`)).status).toBe(404);
  const unlinked = await made.eventsBy('type=sso_identity_unlinked');
  expect(unlinked.at(-1)).toMatchObject({ ids: { userId: first.id, samlProviderId: providerId } });
});

test('an account that is proved does not become a second member beside the provisioned one', async () => {
  const user = await scim.user('outsider@globex.example');
  await signedIn('outsider@globex.example');
  const { browser, html } = await arrive('outsider@globex.example', 'another of the same address');
  expect(html).toContain('another person has signed in as this member');
  expect((await viewerOf(browser)).status).toBe(401);
  expect((await admin.get(`${members}/${outsider.userId}`)).status).toBe(404);
  expect(await scim.find('Users', 'userName eq "outsider@globex.example"')).toMatchObject([{ id: user.id }]);
});

test('a deactivated member has no session or token of before, also if an administrator had disabled it', async () => {
  const user = await scim.user('revived@corp.example');
  const browser = await signedIn('revived@corp.example');
  const client = await clientOf(browser);
  expect((await admin.patch(`${members}/${user.id}`, { disabled: true })).status).toBe(200);
  expect((await setActive(user.id, false)).status).toBe(200);
  expect((await admin.patch(`${members}/${user.id}`, { disabled: false })).status).toBe(200);
  expect([(await viewerOf(browser)).status, (await client.get('/v1/user')).status]).toEqual([401, 401]);
});

test('a sign-in under way ends with the access of the member', async () => {
  const user = await scim.user('underway@corp.example');
  const disabled = await pending('underway@corp.example');
  await setActive(user.id, false);
  await setActive(user.id, true);
  expect(await disabled.finish()).toContain('already completed');
  const held = await pending('underway@corp.example');
  await admin.patch(`${members}/${user.id}`, { disabled: true });
  expect(await held.finish()).toContain('membership in this organization is disabled');
  await admin.patch(`${members}/${user.id}`, { disabled: false });
  const removed = await pending('underway@corp.example');
  expect((await admin.delete(`${members}/${user.id}`)).status).toBe(204);
  expect(await removed.finish()).toContain('already completed');
  expect(await db.selectFrom('session').where('userId', '=', user.id).selectAll().execute()).toEqual([]);
});

test('a session and a token of SSO end in another process within five seconds', async () => {
  const user = await scim.user('elsewhere@corp.example');
  const browser = await signedIn('elsewhere@corp.example');
  const { token } = await clientOf(browser);
  const elsewhere = `http://127.0.0.1:${await second.listen()}`;
  const statuses = () =>
    Promise.all(
      [
        ['cookie', `stemma_session=${browser.cookie('stemma_session')}`],
        ['authorization', `Bearer ${token}`],
      ].map(async ([name = '', value = '']) => {
        const response = await fetch(`${elsewhere}/v1/user`, { headers: { [name]: value } });
        return response.status;
      }),
    );
  expect(await statuses()).toEqual([200, 200]);
  await setActive(user.id, false);
  // The other process may still accept the session, and must not make a token of it.
  const late = await fetch(`${elsewhere}/v1/user/tokens`, {
    method: 'POST',
    headers: {
      cookie: `stemma_session=${browser.cookie('stemma_session')}`,
      origin: url,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ label: 'Late' }),
  });
  expect([401, 403]).toContain(late.status);
  await expect.poll(statuses, { timeout: 5_000 }).toEqual([401, 401]);
});

test('no sign-in is linked to an admin by an address', async () => {
  const user = await scim.user('risen@corp.example');
  expect((await admin.patch(`${members}/${user.id}`, { role: 'admin' })).status).toBe(200);
  await scim.patch(`/Users/${user.id}`, [{ op: 'add', path: 'emails', value: [{ value: 'employee@corp.example' }] }]);
  const { browser, html } = await arrive('employee@corp.example');
  expect(html).toContain('An administrator of your organization has to give it another role');
  expect((await viewerOf(browser)).status).toBe(401);
  await admin.patch(`${members}/${user.id}`, { role: 'read' });
  expect((await viewerOf(await signedIn('employee@corp.example'))).body.id).toBe(user.id);
});

test('find: sign-in of a managed member: a member who has verified no address proves the account by a token', async () => {
  await db.updateTable('user').set({ email: null }).where('id', '=', editor.userId).execute();
  await db
    .updateTable('membership')
    .set({ email: 'unverified@corp.example' })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', editor.userId)
    .execute();
  expect((await scim.user('unverified@corp.example')).id).toBe(editor.userId);
  const { browser, html } = await arrive('unverified@corp.example');
  expect(html).toContain('Is this your account?');
  expect(html).not.toMatch(/value="(?:mail|new)"/);
  expect((await prove(browser, html, { proof: 'token', token: commenter.token ?? '' })).status).toBe(403);
  const mail = await prove(browser, html, { proof: 'mail' });
  expect([mail.status, await mail.text()]).toEqual([403, expect.stringContaining('cannot send a link')]);
  const other = await prove(browser, html, { proof: 'new' });
  expect([other.status, await other.text()]).toEqual([403, expect.stringContaining('through SCIM')]);
  expect((await prove(browser, html, { proof: 'token', token: editor.token ?? '' })).status).toBe(303);
  expect((await viewerOf(browser)).body.id).toBe(editor.userId);
  expect((await viewerOf(await signedIn('unverified@corp.example'))).body.id).toBe(editor.userId);
});

test('a person who was added by address and is managed by SCIM agrees to the membership by signing in with SSO', async () => {
  await admin.patch(`/v1/orgs/${organizationId}`, { emailDomains: ['added.example'] });
  const [userId, email] = [newId('user'), 'person@added.example'];
  const person = new Client(url, `stemma_${userId}`, userId);
  await db.insertInto('user').values({ id: userId, email, displayName: 'Added' }).execute();
  const token = { id: newId('token'), userId, label: 'test', secretHash: hashToken(`stemma_${userId}`) };
  await db.insertInto('api_token').values(token).execute();
  const invited = { emails: [email], sso: true };
  const response = await admin.post(`/v1/orgs/${organizationId}/invites`, invited);
  expect(response.body).toMatchObject({ users: [userId] });
  expect((await scim.user(email)).id).toBe(userId);
  const tokensSeen = async () => {
    expect((await person.post('/v1/user/tokens', { label: 'New' })).status).toBe(201);
    await settled(db);
    const { body } = await admin.get(`/v1/orgs/${organizationId}/audit-events?type=api_token_created`);
    return body.items.filter((event: object) => JSON.stringify(event).includes(userId)).length;
  };
  expect(await tokensSeen()).toBe(0);
  const browser = await signedIn(email, 'Added', person.token);
  expect((await viewerOf(browser)).body.id).toBe(userId);
  expect(await tokensSeen()).toBe(1);
});

test('a member of a team whom a provider has added belongs to it with every sign-in once SCIM names it', async () => {
  const user = await scim.user('given@corp.example');
  const group = await scim.group('Given', [user.id]);
  const ofTeam = () => db.selectFrom('team_member').where('teamId', '=', group.id).select('samlProviderId').execute();
  const give = () =>
    db.updateTable('team_member').set({ samlProviderId: providerId }).where('teamId', '=', group.id).execute();
  for (const operation of [
    { op: 'add', path: 'members', value: [{ value: user.id }] },
    { op: 'replace', path: 'members', value: [{ value: user.id }] },
  ]) {
    await give();
    expect((await scim.patch(`/Groups/${group.id}`, [{ op: 'add', path: 'members', value: [] }])).status).toBe(204);
    expect(await ofTeam()).toEqual([{ samlProviderId: providerId }]);
    expect((await scim.patch(`/Groups/${group.id}`, [operation])).status).toBe(204);
    expect(await ofTeam()).toEqual([{ samlProviderId: null }]);
  }
});
