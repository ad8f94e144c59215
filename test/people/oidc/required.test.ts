import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { Browser } from '../sso/browser.ts';
import { oidcWorld, prove, userIn } from './arrange.ts';
import { startOpenidProvider } from './openid-provider.ts';

const made = await oidcWorld({ defaultRole: 'read' });
const { app, admin, creator, outsider, url, organizationId, otherOrganizationId, op, providerId, path, signedIn } =
  made;
const { db } = app.services;

const person = (sub: string, email = `${sub}@acme.example`) => ({ sub, email, email_verified: true, name: sub });

/** A client with a token that was created in a session of the provider. */
async function clientBySso(browser: Browser): Promise<Client> {
  const created = await browser.submit('/account/tokens', { label: 'CI', days: '30' });
  return new Client(url, /<code>(stemma_[\w-]+)<\/code>/.exec(await created.text())?.[1]);
}

const bySso = await clientBySso(await signedIn(person('admin'), admin.token));
expect((await bySso.patch(`/v1/orgs/${organizationId}`, { sso: true })).status).toBe(200);

test('where SSO is required, sessions and tokens of an OIDC provider reach the organization, and others do not', async () => {
  expect((await bySso.get(`/v1/orgs/${organizationId}`)).status).toBe(200);
  for (const client of [admin, creator]) {
    const { status, body } = await client.get(`/v1/orgs/${organizationId}`);
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('requires SSO')]);
  }
  const browser = await signedIn(person('reader2'));
  const cookie = `stemma_session=${browser.cookie('stemma_session')}`;
  expect((await fetch(`${url}/v1/orgs/${organizationId}`, { headers: { cookie } })).status).toBe(200);
});

test('people find an organization that requires SSO by their address, without its settings until they have signed in', async () => {
  const change = { emailDomains: ['acme.example', 'labs.example'], hostname: 'acme-required' };
  expect((await bySso.patch(`/v1/orgs/${organizationId}`, change)).status).toBe(200);
  await db.updateTable('user').set({ email: 'out@acme.example' }).where('id', '=', outsider.userId).execute();
  const find = async (client: Client, domain: string) =>
    (await client.get(`/v1/email-domains/${domain}/orgs`)).body.organizations;
  for (const client of [creator, outsider]) {
    const [found] = await find(client, 'acme.example');
    expect(found).toMatchObject({ id: organizationId, sso: true, emailDomains: ['acme.example'] });
    expect(JSON.stringify(found)).not.toContain('acme-required');
    expect(await find(client, 'labs.example')).toEqual([]);
  }
  expect((await new Client(url).get(`/v1/orgs/${organizationId}/sso`)).body.items).toMatchObject([{ id: providerId }]);
  for (const domain of change.emailDomains)
    expect(await find(bySso, domain)).toMatchObject([{ id: organizationId, ...change }]);
});

test('the last active provider, of either protocol, can be neither deleted nor disabled', async () => {
  expect((await bySso.delete(path)).status).toBe(409);
  for (const change of [{ clientSecret: null }, { clientID: null }, { issuer: null, clientSecret: null }]) {
    expect((await bySso.patch(path, change)).status).toBe(409);
  }
  expect((await bySso.patch(path, { label: 'Other' })).body).toMatchObject({ label: 'Other', status: 'active' });
  const saml = await bySso.post(`/v1/orgs/${organizationId}/saml`, { label: 'Pending' });
  expect((await bySso.delete(path)).status).toBe(409);
  await bySso.delete(`/v1/orgs/${organizationId}/saml/${saml.body.id}`);
  const second = await bySso.post(`/v1/orgs/${organizationId}/oidc`, {
    ...{ label: 'Second', issuer: op.issuer, clientID: 'other', clientSecret: 'x' },
  });
  expect(second.body.status).toBe('active');
  expect((await bySso.patch(path, { clientSecret: null })).status).toBe(200);
  expect((await bySso.delete(`/v1/orgs/${organizationId}/oidc/${second.body.id}`)).status).toBe(409);
  expect((await bySso.patch(path, { clientSecret: op.clientSecret })).status).toBe(200);
  expect((await bySso.delete(`/v1/orgs/${organizationId}/oidc/${second.body.id}`)).status).toBe(204);
});

test('an admin whom an operator exempts needs no SSO, if the provider fails', async () => {
  const exempt = (breakGlass: boolean) =>
    admin.put(`/v1/orgs/${organizationId}/members/${admin.userId}/break-glass`, { breakGlass });
  expect((await exempt(true)).status).toBe(200);
  expect((await admin.get(path)).body.id).toBe(providerId);
  expect((await exempt(false)).status).toBe(200);
  expect((await admin.get(path)).status).toBe(403);
});

test('two organizations with the same provider and the same person have two accounts, and neither reaches the other', async () => {
  const there = await startOpenidProvider();
  const all = `/v1/orgs/${otherOrganizationId}/oidc`;
  const { body } = await outsider.post(all, {
    ...{ label: 'Theirs', issuer: there.issuer, clientID: there.clientId, clientSecret: there.clientSecret },
    defaultRole: 'admin',
  });
  there.register({ redirectUrl: body.service.redirectURL, backchannelLogoutUrl: body.service.backchannelLogoutURL });
  const here = await signedIn(person('ada'));
  there.signIn(person('ada'));
  const browser = new Browser(url);
  expect((await browser.follow(await browser.open(body.service.startURL))).url).toBe(`${url}/account`);
  const [mine, theirs] = [await userIn(here, url), await userIn(browser, url)];
  expect(theirs).toBeDefined();
  expect(theirs).not.toBe(mine);
  const theirClient = await clientBySso(browser);
  expect((await theirClient.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
  expect((await theirClient.get(path)).status).toBe(404);
  expect((await theirClient.get(`${all}/${body.id}`)).status).toBe(200);
});

test('another organization that asserts the address of an admin here gets no session of that account', async () => {
  const evil = await startOpenidProvider();
  const { body } = await outsider.post(`/v1/orgs/${otherOrganizationId}/oidc`, {
    ...{ label: 'Evil', issuer: evil.issuer, clientID: evil.clientId, clientSecret: evil.clientSecret },
  });
  evil.register({ redirectUrl: body.service.redirectURL, backchannelLogoutUrl: body.service.backchannelLogoutURL });
  evil.signIn(person('x', 'admin@acme.example'));
  const browser = new Browser(url);
  const page = await browser.follow(await browser.open(body.service.startURL));
  const html = await page.text();
  expect(html).toContain('Is this your account?');
  const answer = await prove(browser, html, { proof: 'new' });
  expect(answer.status).toBe(303);
  expect(await userIn(browser, url)).not.toBe(admin.userId);
  const members = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .select('userId')
    .execute();
  expect(members.map(({ userId }) => userId)).not.toContain(await userIn(browser, url));
});
