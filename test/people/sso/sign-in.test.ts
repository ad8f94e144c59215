import { expect, test } from 'vitest';
import { signIn, ssoWorld } from './arrange.ts';
import { Browser } from './browser.ts';
import { formIn } from './identity-provider.ts';

const {
  app,
  admin,
  eventsBy,
  reader,
  url,
  organizationId,
  otherOrganizationId,
  idp,
  providerId,
  startUrl,
  signedIn,
  advance,
} = await ssoWorld({ defaultRole: 'edit' });
const { db } = app.services;

/** Sends a query to the graph as GraphiQL does, with the session of a browser. */
async function ask(browser: Browser, query: string, headers: Record<string, string> = { origin: url }) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: `stemma_session=${browser.cookie('stemma_session')}`,
      ...headers,
    },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const VIEWER = '{ viewer { id email displayName organizations { nodes { id title } } } }';

test('make: sign-in of a new person: a person signs in at the identity provider and becomes a member with the default role', async () => {
  idp.signIn('ada@acme.example', 'Ada');
  const browser = new Browser(url);
  const page = await signIn(browser, startUrl);
  const html = await page.text();
  expect([page.status, page.url, html]).toEqual([200, `${url}/account`, expect.any(String)]);
  expect(html).toMatch(/<h1>Ada<\/h1>.*ada@acme\.example.*SSO of Acme/s);
  const { body } = await ask(browser, VIEWER);
  expect(body.data.viewer).toMatchObject({
    email: 'ada@acme.example',
    displayName: 'Ada',
    organizations: { nodes: [{ id: organizationId, title: 'Acme' }] },
  });
  const member = await db.selectFrom('membership').where('userId', '=', body.data.viewer.id).selectAll().execute();
  expect(member).toMatchObject([
    { organizationId, role: 'edit', roleProviderId: providerId, isSso: true, email: 'ada@acme.example' },
  ]);
});

test('a second sign-in is of the same account, and known members keep their role', async () => {
  await signedIn('READER@acme.example', 'Reader', reader.token);
  const browser = await signedIn('READER@acme.example');
  const { body } = await ask(browser, VIEWER);
  expect(body.data.viewer).toMatchObject({ id: reader.userId, displayName: 'Reader' });
  const [member] = await db.selectFrom('membership').where('userId', '=', reader.userId).selectAll().execute();
  expect(member).toMatchObject({ role: 'read', roleProviderId: null, isSso: true });
});

test('new members join the default team', async () => {
  const teamId = 'team_01h455vb4pex5vsknk084sn02q';
  await db.insertInto('team').values({ id: teamId, organizationId, title: 'Writers' }).execute();
  const choose = (defaultTeamId: string | null) =>
    admin.mutate(
      'updateSamlProvider',
      { samlProviderId: providerId, defaultTeamId },
      'samlProvider { defaultTeam { id } }',
    );
  expect(await choose(teamId)).toEqual({ samlProvider: { defaultTeam: { id: teamId } } });
  const browser = await signedIn('new@acme.example');
  const { body } = await ask(browser, VIEWER);
  const found = await db.selectFrom('team_member').where('teamId', '=', teamId).select('userId').execute();
  expect(found).toEqual([{ userId: body.data.viewer.id }]);
  await choose(null);
});

test('sign-ins and new members are events of the organization', async () => {
  await signedIn('events@acme.example', 'Eve');
  const last = (await eventsBy('type=session_started')).at(-1);
  const userId = last?.ids.userId;
  expect(last).toMatchObject({ actor: userId, ids: { userId } });
  expect((await eventsBy('type=sso_member_added')).map(({ ids }) => ids.userId)).toContain(userId);
});

test('a disabled member is refused', async () => {
  const browser = await signedIn('disabled@acme.example');
  const { body } = await ask(browser, VIEWER);
  await db.updateTable('membership').set({ isDisabled: true }).where('userId', '=', body.data.viewer.id).execute();
  const page = await signIn(new Browser(url), startUrl);
  expect([page.status, await page.text()]).toEqual([
    403,
    expect.stringContaining('membership in this organization is'),
  ]);
  expect((await ask(browser, '{ viewer { organizations { nodes { id } } } }')).body.data.viewer).toEqual({
    organizations: { nodes: [] },
  });
});

test('a session gives access to the organization of its provider only', async () => {
  await db
    .insertInto('membership')
    .values({
      id: 'member_01h455vb4pex5vsknk084sn02r',
      organizationId: otherOrganizationId,
      userId: admin.userId,
      role: 'admin',
    })
    .execute();
  const browser = await signedIn('admin@acme.example', 'Admin', admin.token);
  const { body } = await ask(browser, VIEWER);
  expect(body.data.viewer.id).toBe(admin.userId);
  expect(body.data.viewer.organizations.nodes).toEqual([{ id: organizationId, title: 'Acme' }]);
  const other = await ask(browser, `{ organization(id: "${otherOrganizationId}") { title } }`);
  expect(other.body.data.organization).toBeNull();
  for (const mutation of [
    `updateUser(input: { userId: "${admin.userId}", email: "mallory@example.com" }) { clientMutationId }`,
    'createOrganization(input: { title: "Mine" }) { clientMutationId }',
    'createUser(input: { email: "x@example.com", displayName: "X" }) { clientMutationId }',
  ]) {
    const refused = await ask(browser, `mutation { ${mutation} }`);
    expect([mutation, refused.body.errors?.[0].extensions.code]).toEqual([mutation, 'FORBIDDEN']);
  }
  expect((await ask(browser, '{ viewer { apiTokens { totalCount } } }')).body.data.viewer.apiTokens.totalCount).toBe(0);
});

test('a token that is created in a session has the same limits and cannot create others', async () => {
  const browser = await signedIn('admin@acme.example');
  const created = await ask(browser, 'mutation { createApiToken(input: { label: "CI" }) { secret } }');
  const { secret } = created.body.data.createApiToken;
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    });
  const listed = (await (await call('/v1/orgs')).json()) as { items: { id: string }[] };
  expect(listed.items.map(({ id }) => id)).toEqual([organizationId]);
  expect((await call(`/v1/orgs/${otherOrganizationId}`)).status).toBe(404);
  const another = await call('/v1/user/tokens', { method: 'POST', body: JSON.stringify({ label: 'Another' }) });
  expect(another.status).toBe(403);
  expect((await ask(browser, '{ viewer { apiTokens { nodes { label } } } }')).body.data.viewer.apiTokens.nodes).toEqual(
    [{ label: 'CI' }],
  );
});

test('a session ends after twelve hours', async () => {
  const browser = await signedIn('late@acme.example');
  advance(12 * 3_600_000 + 6_000);
  expect((await ask(browser, VIEWER)).body.errors?.[0].extensions.code).toBe('UNAUTHENTICATED');
  advance(-12 * 3_600_000 - 6_000);
});

test('another browser cannot finish a sign-in, and each code starts one session', async () => {
  idp.signIn('ada@acme.example');
  const [browser, other] = [new Browser(url), new Browser(url)];
  const atProvider = await browser.follow(await browser.open(startUrl));
  const { action, fields } = formIn(await atProvider.text());
  const accepted = await other.submit(action, fields, 'null');
  const finish = accepted.headers.get('location') ?? '';
  expect(finish).toMatch(/^\/sso\/finish\?code=[\w-]{43}$/);
  await other.open(startUrl);
  expect((await other.open(finish)).status).toBe(403);
  expect(other.cookie('stemma_session')).toBeUndefined();
  expect((await browser.open(finish)).status).toBe(303);
  expect(browser.cookie('stemma_session')).toMatch(/^[\w-]{43}$/);
  expect((await browser.open(finish)).status).toBe(403);
});

test.each([
  ['/graphql?query=%7Bviewer%7Bid%7D%7D', '/graphql?query=%7Bviewer%7Bid%7D%7D'],
  [undefined, '/account'],
  ['https://evil.example/', '/account'],
  ['//evil.example/', '/account'],
  ['/\\evil.example', '/account'],
  ['/.//evil.example', '/account'],
  ['/\t/evil.example', '/account'],
  ['javascript:alert(1)', '/account'],
  ['/%2f%2fevil.example', '/%2f%2fevil.example'],
])('a sign-in with returnTo %j ends on %s', async (returnTo, expected) => {
  idp.signIn('ada@acme.example');
  const browser = new Browser(url);
  const address = returnTo === undefined ? startUrl : `${startUrl}?${new URLSearchParams({ returnTo })}`;
  const atProvider = await browser.follow(await browser.open(address));
  const { action, fields } = formIn(await atProvider.text());
  const accepted = await browser.submit(action, { ...fields, RelayState: 'https://evil.example/' }, 'null');
  const finished = await browser.open(accepted.headers.get('location') ?? '');
  expect([finished.status, finished.headers.get('location')]).toEqual([303, expected]);
});

test('the metadata is that of a service provider', async () => {
  const { entityID } = (await admin.get(`/v1/orgs/${organizationId}/saml/${providerId}`)).body.service;
  const response = await fetch(entityID);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('application/samlmetadata+xml'),
  ]);
  const xml = await response.text();
  expect(xml).toContain(`entityID="${entityID}"`);
  expect(xml).toContain('WantAssertionsSigned="true"');
  expect(xml).toMatch(new RegExp(`AssertionConsumerService[^>]*Location="${url}/sso/saml/${providerId}/acs"`));
  expect((await fetch(`${url}/sso/saml/nonsense/metadata`)).status).toBe(404);
});

test('a pending provider cannot be signed in with', async () => {
  const { body } = await admin.post(`/v1/orgs/${organizationId}/saml`, { label: 'Later' });
  const browser = new Browser(url);
  expect((await browser.open(body.service.startURL)).status).toBe(404);
  expect((await browser.submit(body.service.acsURL, { SAMLResponse: 'AA==' }, 'null')).status).toBe(404);
});
