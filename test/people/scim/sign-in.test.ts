import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { signIn, ssoWorld } from '../sso/arrange.ts';
import { Browser } from '../sso/browser.ts';
import { scimOf, USER } from './scim-client.ts';

const made = await ssoWorld({ defaultRole: 'edit' });
const { app, admin, commenter, outsider, url, organizationId, idp, startUrl, providerId, signedIn } = made;
const { db } = app.services;
const scim = await scimOf(admin, organizationId);

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

test('make: provisioning by SCIM: a person who is no member gets an account without a verified address, and a membership with the default role', async () => {
  await admin.patch(`/v1/orgs/${organizationId}`, { defaultRole: 'read' });
  const user = await scim.user('new@corp.example', { displayName: 'New' });
  const account = await db.selectFrom('user').where('id', '=', user.id).selectAll().executeTakeFirstOrThrow();
  expect([account.email, account.unverifiedEmail]).toEqual([null, null]);
  const { body } = await admin.get(`${members}/${user.id}`);
  expect(body).toMatchObject({ email: 'new@corp.example', role: 'read', sso: true });
  // Nobody can prove the account with the address.
  const claimed = await outsider.patch(`/v1/users/${outsider.userId}`, { email: 'new@corp.example' });
  expect(claimed.status).toBe(200);
  expect((await scim.get(`/Users/${user.id}`)).body.userName).toBe('new@corp.example');
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
  expect(html).toContain('manages a member with your address by SCIM');
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
