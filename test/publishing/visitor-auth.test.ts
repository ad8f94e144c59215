import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { admitVisitor, siteTokenFor } from '../../src/domain/publishing/audiences/index.ts';
import { makeMissingSiteKeys } from '../../src/domain/publishing/sites/make-missing-site-keys.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { Client } from '../client.ts';
import { world } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';
import { show } from './reader-world.ts';
import { refusalTo, visitorOf, visitorToken } from './visiting.ts';

const { app, url, admin, reader, editor, outsider, anonymous, organizationId, advance } = await world();
const { services } = app;
const BEYOND = { beyond: true };

async function guardedSite(title: string, settings: Record<string, unknown> = {}) {
  const spaceId = await spaceTitled(admin, organizationId, title);
  const site = await siteWith(admin, organizationId, {
    title,
    visibility: 'visitor-auth',
    spaces: [spaceId],
    ...settings,
  });
  await admin.post(`${site.path}/publish`);
  const auth = `${site.path}/publishing/auth`;
  const { body } = await admin.get(auth);
  return { ...site, spaceId, auth, privateKey: body.privateKey as string };
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with any header, which libraries refuse to sign. */
function signedByHand(key: string, header: object, claims: object): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

test('shows, changes and regenerates the authentication of visitors on both transports', async () => {
  const { id, auth, privateKey } = await guardedSite('Settings');
  const first = await admin.restAs('getSitePublishingAuthById', 'GET', auth, undefined, BEYOND);
  expect(first.body).toEqual({ object: 'publishing-auth', backend: 'custom', privateKey, hasUnreadableSecret: false });
  expect(privateKey).toMatch(/^[\w-]{43}$/);
  const fallbackURL = 'https://login.example.com/docs';
  const changed = await admin.restAs(
    'updateSitePublishingAuthById',
    'PATCH',
    auth,
    { backend: 'custom', fallbackURL, logoutURL: 'https://login.example.com/out' },
    BEYOND,
  );
  expect(changed.body).toMatchObject({ privateKey, fallbackURL, logoutURL: 'https://login.example.com/out' });
  const fields = 'site { id publishingAuth { backend privateKey fallbackUrl logoutUrl } }';
  const { site } = await admin.mutate('updateSitePublishingAuth', { siteId: id, logoutUrl: null }, fields);
  expect(site.publishingAuth).toEqual({ backend: 'CUSTOM', privateKey, fallbackUrl: fallbackURL, logoutUrl: null });
  const again = await admin.restAs('regenerateSitePublishingAuthById', 'POST', `${auth}/regenerate`, undefined, BEYOND);
  expect(again.body).toMatchObject({ fallbackURL, privateKey: expect.stringMatching(/^[\w-]{43}$/) });
  expect(again.body.privateKey).not.toBe(privateKey);
  const third = await admin.mutate('regenerateSitePublishingKey', { siteId: id }, fields);
  expect([privateKey, again.body.privateKey]).not.toContain(third.site.publishingAuth.privateKey);
  const row = await services.db.selectFrom('site_auth').where('siteId', '=', id).selectAll().executeTakeFirstOrThrow();
  expect(Buffer.from(row.privateKey).includes(third.site.publishingAuth.privateKey)).toBe(false);
});

test('a site has its key from the beginning, and reading it writes nothing', async () => {
  const { id, auth } = await guardedSite('Read only');
  const stored = () =>
    services.db.selectFrom('site_auth').where('siteId', '=', id).select(['keyId', 'updatedAt']).executeTakeFirst();
  const before = await stored();
  const [one, other] = await Promise.all([admin.get(auth), admin.get(auth)]);
  expect([one.body.privateKey, await stored()]).toEqual([other.body.privateKey, before]);
  // A site from before sites were created with a key.
  await services.db.deleteFrom('site_auth').where('siteId', '=', id).execute();
  expect([(await admin.get(auth)).status, await stored()]).toEqual([404, undefined]);
  const running = { signal: new AbortController().signal, retries: 0 };
  await makeMissingSiteKeys.run(jobContext(services, 'keys'), {}, running);
  expect((await admin.get(auth)).body.privateKey).toMatch(/^[\w-]{43}$/);
  await makeMissingSiteKeys.run(jobContext(services, 'keys'), {}, running);
  await services.db.deleteFrom('site_auth').where('siteId', '=', id).execute();
  const path = auth.replace('/publishing/auth', '');
  const switched = await Promise.all([1, 2].map(() => admin.patch(path, { visibility: 'visitor-auth' })));
  expect(switched.map(({ status }) => status)).toEqual([200, 200]);
  const key = (await admin.get(auth)).body.privateKey;
  await admin.patch(path, { visibility: 'visitor-auth' });
  expect((await admin.get(auth)).body.privateKey).toBe(key);
});

test('only admins of the site see and change it', async () => {
  const { id, auth } = await guardedSite('Guarded');
  for (const [client, status] of [
    [reader, 403],
    [editor, 403],
    [outsider, 404],
    [anonymous, 401],
  ] as const) {
    expect((await client.get(auth)).status).toBe(status);
    expect((await client.patch(auth, { backend: 'custom', fallbackURL: null })).status).toBe(status);
    expect((await client.post(`${auth}/regenerate`)).status).toBe(status);
  }
  const { body } = await reader.graphqlRaw('query ($id: ID!) { site(id: $id) { publishingAuth { privateKey } } }', {
    id,
  });
  expect([body.data.site.publishingAuth, body.errors[0].extensions.code]).toEqual([null, 'FORBIDDEN']);
  expect((await admin.patch(auth, { backend: 'magic' })).status).toBe(400);
  expect((await admin.patch(auth, { backend: 'custom', fallbackURL: 'javascript:alert(1)' })).status).toBe(400);
});

test('admits visitors with a token of the site, who read it and nothing else', async () => {
  const { id, path, spaceId, privateKey } = await guardedSite('Members');
  const other = await guardedSite('Others');
  for (const client of [anonymous, outsider]) expect((await client.get(path)).status).not.toBe(200);
  const visitor = await visitorOf(app, url, id, { jwtToken: await visitorToken(privateKey, { sub: 'me' }) });
  expect((await visitor.get(`${path}/published`)).body.site.id).toBe(id);
  expect((await visitor.get(`/v1/spaces/${spaceId}`)).body).toMatchObject({
    id: spaceId,
    visibility: 'visitor-auth',
    permissions: { view: true, access: false, edit: false },
  });
  const seen = await visitor.graphql(
    `{ site(id: "${id}") { structure { ... on SiteSpacesStructure { structure { space { id } } } } }
      node(id: "${spaceId}") { id } other: node(id: "${other.spaceId}") { id } site2: site(id: "${other.id}") { id } }`,
  );
  expect(seen).toEqual({
    site: { structure: { structure: [{ space: { id: spaceId } }] } },
    node: { id: spaceId },
    other: null,
    site2: null,
  });
  expect((await visitor.get(`/v1/spaces/${other.spaceId}`)).status).toBe(404);
  expect(
    (await visitor.get(`/v1/spaces/${spaceId}/revisions/${(await admin.get(`/v1/spaces/${spaceId}`)).body.revision}`))
      .status,
  ).toBe(200);
  expect((await visitor.post(`${path}/unpublish`)).status).toBe(403);
  expect((await visitor.graphqlRaw('{ __schema { types { name } } }')).body.errors[0].extensions.code).toBe(
    'UNAUTHENTICATED',
  );
});

test('refuses tokens that the site has not signed with HS256', async () => {
  const { id, privateKey } = await guardedSite('Strict');
  const other = await guardedSite('Foreign');
  const key = new TextEncoder().encode(privateKey);
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const none = `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded({ exp })}.`;
  const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const unsigned = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({ exp })}`;
  const rs256 = `${unsigned}.${sign('sha256', Buffer.from(unsigned), rsa).toString('base64url')}`;
  const tokens = {
    none,
    'none with a signature': `${none}${(await visitorToken(privateKey, {})).split('.')[2]}`,
    RS256: rs256,
    HS384: await new SignJWT({}).setProtectedHeader({ alg: 'HS384' }).setExpirationTime('1h').sign(key),
    'key of another site': await visitorToken(other.privateKey, {}),
    'changed claims': (await visitorToken(privateKey, {})).replace(/\.[^.]+\./, `.${encoded({ exp: exp + 9 })}.`),
    'unknown critical header': signedByHand(privateKey, { alg: 'HS256', crit: ['scope'], scope: 'all' }, { exp }),
    'not a token': 'Bearer of news',
    empty: '',
    long: `${await visitorToken(privateKey, { long: 'x'.repeat(9_000) })}`,
  };
  for (const [what, jwtToken] of Object.entries(tokens)) {
    expect([what, await refusalTo(app, id, { jwtToken })]).toEqual([what, 'visitor-auth']);
  }
  expect(await refusalTo(app, id)).toBe('visitor-auth');
  const plain = signedByHand(privateKey, { alg: 'HS256' }, { exp });
  expect(await refusalTo(app, id, { jwtToken: plain })).toBeUndefined();
  expect(await refusalTo(app, id, { jwtToken: await visitorToken(privateKey, {}) })).toBeUndefined();
});

test('a token expires, with a minute for clocks that differ', async () => {
  const { id, privateKey } = await guardedSite('Clocks');
  const key = new TextEncoder().encode(privateKey);
  const now = Math.floor(services.clock().getTime() / 1_000);
  const timed = (exp: number, nbf: number) =>
    new SignJWT({ exp: now + exp, nbf: now + nbf }).setProtectedHeader({ alg: 'HS256' }).sign(key);
  for (const [exp, nbf, reason] of [
    [600, 0, undefined],
    [-30, -600, undefined],
    [-120, -600, 'visitor-auth'],
    [600, 30, undefined],
    [600, 300, 'visitor-auth'],
  ] as const) {
    expect([exp, nbf, await refusalTo(app, id, { jwtToken: await timed(exp, nbf) })]).toEqual([exp, nbf, reason]);
  }
});

test('what a token leads to lasts as long as it is accepted: a minute longer than the token says', async () => {
  const { id, path, privateKey } = await guardedSite('The last minute');
  const jwtToken = await visitorToken(privateKey, {}, '-15s');
  const home = `${url}${new URL((await admin.get(path)).body.urls.published).pathname}`;
  const arrived = await show(`${home}?jwt_token=${jwtToken}`);
  expect(arrived.status).toBe(303);
  const [cookie = '', ...attributes] = (arrived.headers.get('set-cookie') ?? '').split('; ');
  const age = Number(attributes.find((each) => each.startsWith('Max-Age='))?.replace('Max-Age=', ''));
  expect([age > 0, age <= 45]).toEqual([true, true]);
  const visitor = await visitorOf(app, url, id, { jwtToken });
  const statuses = async () => [(await show(home, { cookie })).status, (await visitor.get(path)).status];
  expect(await statuses()).toEqual([200, 200]);
  advance(60_000);
  expect(await statuses()).toEqual([404, 401]);
  advance(-60_000);
});

test('a rejection names the page where visitors sign in, and what is wrong', async () => {
  const { id, auth, privateKey } = await guardedSite('Sign in');
  const fallbackURL = 'https://login.example.com/';
  await admin.patch(auth, { backend: 'custom', fallbackURL });
  const jwtToken = await visitorToken(privateKey, {}, '-1h');
  expect(await admitVisitor({ services }, id, { jwtToken })).toEqual({
    reason: 'visitor-auth',
    fallbackUrl: fallbackURL,
    fault: 'The token has expired.',
  });
});

test.each([
  ['a new key', ({ auth }: Guarded) => admin.post(`${auth}/regenerate`)],
  ['unpublishing', ({ path }: Guarded) => admin.post(`${path}/unpublish`)],
  ['another visibility', ({ path }: Guarded) => admin.patch(path, { visibility: 'share-link' })],
  ['deleting the site', ({ path }: Guarded) => admin.delete(path)],
] as const)('%s ends sessions of visitors and site tokens at the next request', async (_what, end) => {
  const its = await guardedSite('Ending');
  const jwtToken = await visitorToken(its.privateKey, {});
  const visitor = await visitorOf(app, url, its.id, { jwtToken });
  expect((await visitor.get(its.path)).status).toBe(200);
  expect((await end(its)).status).toBeLessThan(300);
  expect((await visitor.get(its.path)).status).toBe(404);
  expect((await visitor.get(`/v1/spaces/${its.spaceId}`)).status).toBe(404);
  expect(await refusalTo(app, its.id, { jwtToken })).toBeDefined();
});

type Guarded = Awaited<ReturnType<typeof guardedSite>>;

test('a site token is the same for an hour, names its content, and expires after a day or with the token of the visitor', async () => {
  const { id, path, privateKey } = await guardedSite('Tokens');
  const jwtToken = await visitorToken(privateKey, { plan: 'pro' }, '3h');
  const issue = async (version = 'v1', jwt = jwtToken) => {
    const admission = await admitVisitor({ services }, id, { jwtToken: jwt });
    if ('reason' in admission) throw new Error(admission.reason);
    return siteTokenFor({ services }, admission, version);
  };
  const token = await issue();
  expect(await issue()).toBe(token);
  expect(await issue('v2')).not.toBe(token);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims).toMatchObject({ site: id, organization: organizationId, exp: claims.exp });
  expect(claims.exp - claims.iat).toBeLessThanOrEqual(24 * 3_600);
  const client = new Client(url, token);
  expect((await client.get(path)).status).toBe(200);
  const [head, , signature] = token.split('.');
  const forged = new Client(url, `${head}.${encoded({ ...claims, site: 'site_other' })}.${signature}`);
  expect((await forged.get(path)).status).toBe(401);
  const none = new Client(url, `${encoded({ alg: 'none' })}.${encoded(claims)}.x`);
  expect((await none.get(path)).status).toBe(401);
  expect((await new Client(url, jwtToken).get(path)).status).toBe(401);
  advance(3.1 * 3_600_000);
  expect((await client.get(path)).status).toBe(401);
  advance(-3.1 * 3_600_000);
});

test('a site that is open to anybody ignores tokens that are not valid', async () => {
  const { id, path, spaceId } = await guardedSite('Open', { visibility: 'public' });
  const visitor = await visitorOf(app, url, id, { jwtToken: 'nonsense' });
  expect((await visitor.get(path)).status).toBe(200);
  expect((await anonymous.get(`/v1/spaces/${spaceId}`)).body.visibility).toBe('public');
});
