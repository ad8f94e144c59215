import { expect, test } from 'vitest';
import { ssoWorld } from './arrange.ts';
import { Browser } from './browser.ts';

const { admin, anonymous, url, organizationId, otherOrganizationId, providerId, signedIn, advance } = await ssoWorld({
  defaultRole: 'read',
});

/** A browser with a session that was started with a token which was created with SSO. */
async function browserByToken(): Promise<Browser> {
  const bySso = await signedIn('grace@acme.example', 'Grace');
  const created = await bySso.submit('/account/tokens', { label: 'Browser', days: '' });
  const [, token = ''] = /<code>(stemma_[\w-]+)<\/code>/.exec(await created.text()) ?? [];
  const browser = new Browser(url);
  expect((await browser.submit('/app/sign-in', { token })).status).toBe(303);
  return browser;
}

const send = (browser: Browser, method: string, path: string, body?: unknown) =>
  anonymous.send(method, path, body, { cookie: `stemma_session=${browser.cookie('stemma_session')}`, origin: url });

test('a session by a token of SSO is for the organization of SSO only, and has no rights on the account', async () => {
  const browser = await browserByToken();
  expect((await send(browser, 'GET', `/v1/orgs/${organizationId}`)).status).toBe(200);
  expect((await send(browser, 'GET', `/v1/orgs/${otherOrganizationId}`)).status).toBe(404);
  const { id } = (await send(browser, 'GET', '/v1/user')).body;
  const query = `mutation { updateUser(input: { userId: "${id}", displayName: "Ada" }) { user { displayName } } }`;
  const { errors } = (await send(browser, 'POST', '/graphql', { query })).body;
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  const page = await (await browser.open('/account')).text();
  expect(page).toMatch(/Signed in with the SSO of Acme, for that organization only\./);
});

test('it cannot create tokens, as the token cannot, and lasts twelve hours', async () => {
  const browser = await browserByToken();
  const refused = await browser.submit('/account/tokens', { label: 'More', days: '' });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringMatching(/Sign in with SSO to create/)]);
  advance(11 * 3_600_000);
  expect((await send(browser, 'GET', '/v1/user')).status).toBe(200);
  advance(2 * 3_600_000);
  expect((await send(browser, 'GET', '/v1/user')).status).toBe(401);
  advance(-13 * 3_600_000);
});

test('it ends with the provider', async () => {
  const browser = await browserByToken();
  expect((await send(browser, 'GET', '/v1/user')).status).toBe(200);
  expect((await admin.delete(`/v1/orgs/${organizationId}/saml/${providerId}`)).status).toBe(204);
  advance(5_000);
  expect((await send(browser, 'GET', '/v1/user')).status).toBe(401);
});
