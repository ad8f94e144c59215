import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { Client } from '../client.ts';
import { translating } from '../sources/translations/arrange.ts';
import { world } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';

const cnames = new Map<string, string[]>();
const here = await world({}, { dns: { cname: async (hostname) => cnames.get(hostname) ?? [], txt: async () => [] } });
const { app, url, admin, creator, reader, outsider, anonymous, organizationId, advance } = here;
const [guides, api] = [
  await spaceTitled(creator, organizationId, 'Guides'),
  await spaceTitled(creator, organizationId, 'API'),
];

await admin.patch(`/v1/orgs/${organizationId}`, { hostname: 'acme' });

let site: Awaited<ReturnType<typeof siteWith>>;
let base = '';
const publish = async (settings: Record<string, unknown>) => {
  site = await siteWith(creator, organizationId, settings);
  await creator.post(`${site.path}/publish`);
  base = `${app.services.config.sitesUrl}/acme/${site.body.basename}`;
};
beforeEach(() => publish({ title: 'Docs', spaces: [guides, api] }));

const resolve = (address: string, more: Record<string, unknown> = {}, client = anonymous) =>
  client.restAs(
    'resolvePublishedContentByUrl',
    'POST',
    '/v1/urls/published',
    { url: address, ...more },
    { beyond: true },
  );
const partOf = async (address: string) => {
  const { status, body } = await resolve(address);
  if (status !== 200) return status;
  return [body.space === guides ? 'guides' : 'api', body.basePath, body.pathname, body.complete];
};
const pathOf = (address: string) => new URL(address).pathname;

test('resolves URLs to the space, and says what is left for the page', async () => {
  const path = pathOf(base);
  const { body } = await resolve(`${base}/api/start/here`);
  expect(body).toMatchObject({
    organization: organizationId,
    site: site.id,
    space: api,
    siteBasePath: `${path}/`,
    basePath: `${path}/api/`,
    pathname: '/start/here',
    complete: true,
    canonicalUrl: `${base}/api/start/here`,
  });
  expect(body).not.toHaveProperty('siteSection');
  expect(await partOf(base)).toEqual(['guides', `${path}/`, '/', false]);
  expect(await partOf(`${base}/`)).toEqual(['guides', `${path}/`, '/', false]);
  expect(await partOf(`${base}/api`)).toEqual(['api', `${path}/api/`, '/', true]);
  expect(await partOf(`${base}/some%20page`)).toEqual(['guides', `${path}/`, '/some%20page', true]);
  expect(await partOf(base.replace('/acme/', '/ACME/'))).toBe(404);
  expect(await partOf(base.slice(0, base.lastIndexOf('/')))).toBe(404);
  expect(await partOf('https://nobody.example.com/docs')).toBe(404);
  expect(await partOf(`${app.services.config.sitesUrl}/${organizationId}/${site.id}`)).toEqual([
    'guides',
    `${pathOf(app.services.config.sitesUrl)}/${organizationId}/${site.id}/`,
    '/',
    false,
  ]);
});

test('the hostname of the organization, and sections, are parts of URLs', async () => {
  const section = (await creator.post(`${site.path}/sections`, { spaceId: api, title: 'Reference' })).body;
  const [, at] = (await creator.get(site.path)).body.urls.published.split(app.services.config.sitesUrl);
  expect(at).toBe(`/acme/${site.body.basename}/`);
  const { body } = await resolve(`${app.services.config.sitesUrl}${at}reference/page`);
  expect(body).toMatchObject({ siteSection: section.id, space: api, pathname: '/page', complete: true });
  expect((await resolve(`${app.services.config.sitesUrl}${at}reference`)).body.complete).toBe(true);
  const start = (await resolve(`${app.services.config.sitesUrl}${at}`)).body;
  expect([start.complete, start.space, typeof start.siteSection]).toEqual([false, guides, 'string']);
});

test('a verified custom hostname is an address of the site', async () => {
  const hostname = `docs.${site.id.slice(-8)}.com`;
  await creator.patch(site.path, { hostname });
  expect((await resolve(`https://${hostname}/api`)).status).toBe(404);
  cnames.set(hostname, [(await creator.get(`/v1/custom-hostnames/${hostname}`)).body.cname]);
  await creator.patch(`/v1/custom-hostnames/${hostname}`);
  const { body } = await resolve(`https://${hostname}/api/start`);
  expect(body).toMatchObject({
    siteBasePath: '/',
    basePath: '/api/',
    pathname: '/start',
    canonicalUrl: `https://${hostname}/api/start`,
  });
  expect((await resolve(`${base}/api/start`)).body.canonicalUrl).toBe(`https://${hostname}/api/start`);
});

test('the token reads the site as a JWT, and nothing else', async () => {
  const { body } = await resolve(base);
  const { exp = 0, iat = 0 } = decodeJwt(body.apiToken);
  expect(exp - iat).toBe(24 * 3_600);
  const renderer = new Client(url, body.apiToken);
  expect((await renderer.get(`${site.path}/published`)).status).toBe(200);
  expect((await renderer.get(`/v1/spaces/${guides}`)).status).toBe(200);
  const other = await spaceTitled(creator, organizationId, 'Private');
  expect((await renderer.get(`/v1/spaces/${other}`)).status).toBe(404);
  expect((await renderer.patch(`/v1/spaces/${guides}`, { title: 'Mine' })).status).toBe(403);
  await creator.post(`${site.path}/unpublish`);
  expect((await renderer.get(`${site.path}/published`)).status).toBe(404);
  expect((await resolve(base)).status).toBe(404);
});

test('the same answer has the same token, until the content, the structure or the hour changes', async () => {
  const token = async () => (await resolve(base)).body.apiToken;
  const seen = [await token()];
  const changes = [
    () => admin.patch(`/v1/orgs/${organizationId}`, { title: 'Acme Manuals' }),
    () => creator.patch(`/v1/spaces/${api}`, { emoji: '1f600' }),
    () => creator.patch(site.path, { title: 'Manual' }),
    () => creator.put(`${site.path}/customization`, { styling: { theme: 'bold' } }),
    () => creator.post(`${site.path}/external-links`, { title: 'Status', url: 'https://status.acme.com/' }),
    () =>
      creator.post(`/v1/spaces/${guides}/content`, {
        changes: [{ operation: 'insert_page', title: 'New', document: { markdown: 'X' } }],
      }),
    () =>
      creator.post(`${site.path}/redirects`, {
        source: '/a',
        destination: { kind: 'external', url: 'https://acme.com/' },
      }),
    async () => ({ status: 200, moved: advance(3_600_000) }),
  ];
  for (const [index, change] of changes.entries()) {
    expect([index, await token()]).toEqual([index, seen.at(-1)]);
    expect([index, (await change()).status]).toEqual([index, expect.toBeOneOf([200, 201])]);
    seen.push(await token());
  }
  expect(new Set(seen).size).toBe(changes.length + 1);
});

test('redirects that are replaced or published at once change the token', async () => {
  const put = async (redirect: object) => {
    const { body } = await creator.put(`${site.path}/redirects`, { redirects: [{ source: '/a', ...redirect }] });
    return body.results[0].status;
  };
  const destination = { kind: 'external', url: 'https://acme.com/' };
  const tokens: string[] = [];
  for (const [redirect, status] of [
    [{ intent: 'draft', destination }, 'created'],
    [{ intent: 'publish' }, 'published'],
    [{ destination: { ...destination, url: 'https://acme.com/new' } }, 'updated'],
    [{ destination: { ...destination, url: 'https://acme.com/newer' } }, 'updated'],
  ] as const) {
    expect([status, await put(redirect)]).toEqual([status, status]);
    tokens.push((await resolve(base)).body.apiToken);
  }
  expect(new Set(tokens).size).toBe(tokens.length);
});

test('another language of the site changes the token, though no space changes', async () => {
  const { makeSpace, create, work } = translating(here);
  const { spaceId } = await makeSpace({ Welcome: 'Hello.' }, 'en');
  const { translationId, translatedId } = await create(spaceId);
  await work(translationId);
  await publish({ title: 'Languages', spaces: [spaceId, translatedId] });
  const { apiToken } = (await resolve(base)).body;
  expect((await resolve(base)).body.apiToken).toBe(apiToken);
  await admin.mutate('deleteTranslation', { translationId }, 'deletedId');
  expect((await resolve(base)).body.apiToken).not.toBe(apiToken);
});

test('a specification changes the token, even if its transaction ends after one that began later', async () => {
  const create = async (slug: string) => {
    const { status } = await admin.put(`/v1/orgs/${organizationId}/openapi/${slug}`, { source: { text: '{}' } });
    expect(status).toBe(201);
  };
  await create('early');
  advance(2_000);
  await create('late');
  const { apiToken } = (await resolve(base)).body;
  expect((await resolve(base)).body.apiToken).toBe(apiToken);
  // Two specifications are processed at once, and the one that was begun first is written last.
  const between = sql<string>`updated_at + interval '1 second'`;
  await app.services.db.updateTable('openapi_spec').set({ updatedAt: between }).where('slug', '=', 'early').execute();
  expect((await resolve(base)).body.apiToken).not.toBe(apiToken);
});

test('share links are part of the URL, and visitors without one find nothing', async () => {
  await publish({ title: 'Shared', spaces: [guides, api], visibility: 'share-link' });
  const { body: link } = await creator.post(`${site.path}/share-links`, { name: 'Partners' });
  const { body } = await resolve(`${link.urls.published}api/page`);
  expect(body).toMatchObject({ space: api, pathname: '/page', complete: true, canonicalUrl: `${base}/api/page` });
  expect([body.siteBasePath, body.basePath]).toEqual([
    pathOf(link.urls.published),
    `${pathOf(link.urls.published)}api/`,
  ]);
  expect(link.urls.published).toContain(body.shareKey);
  const { body: seen } = await new Client(url, body.apiToken).get(`/v1/spaces/${api}`);
  // Other sites show this space to anybody.
  expect(seen.urls).toMatchObject({ published: `${link.urls.published}api/` });
  expect(seen.urls).not.toHaveProperty('public');
  expect([await partOf(base), await partOf(`${base}/api`), await partOf(`${base}/wrong-key/api`)]).toEqual([
    404, 404, 404,
  ]);
  const { body: elsewhere } = await resolve(base, { redirectOnError: true }, creator);
  expect(elsewhere).toMatchObject({ target: 'application' });
  expect((await anonymous.get(new URL(elsewhere.redirect).pathname)).status).toBe(200);
  expect((await resolve(base, { redirectOnError: true })).status).toBe(404);
});

test('visitors who must sign in are sent to the sign-in page', async () => {
  await publish({ title: 'Internal', spaces: [guides], visibility: 'visitor-auth' });
  expect((await resolve(`${base}/start`)).status).toBe(404);
  await creator.patch(`${site.path}/publishing/auth`, { fallbackURL: 'https://login.acme.com/?to=docs' });
  expect((await resolve(`${base}/start/here`)).body).toEqual({
    target: 'external',
    site: site.id,
    redirect: 'https://login.acme.com/?to=docs&location=%2Fstart%2Fhere',
  });
});

test('the graph and GET resolve too, and bad URLs are refused', async () => {
  const data = await anonymous.graphql(
    `query ($url: String!) { publishedContent(url: $url, visitor: { type: HUMAN, unsignedClaims: { beta: true } }) {
      ... on PublishedContent { site { id } siteSpace { path } space { title } pathname complete apiToken organization { id } }
      ... on PublishedContentRedirect { target redirect } } }`,
    { url: `${base}/api/x` },
  );
  expect(data.publishedContent).toMatchObject({
    site: { id: site.id },
    siteSpace: { path: 'api' },
    pathname: '/x',
    complete: true,
    organization: null,
  });
  const none = await anonymous.graphql('{ publishedContent(url: "https://none.example.com/") { __typename } }');
  expect(none.publishedContent).toBeNull();
  const get = (query: string) =>
    anonymous.restAs('getPublishedContentByUrl', 'GET', `/v1/urls/published?${query}`, undefined, { beyond: true });
  expect((await get(`url=${encodeURIComponent(base)}&visitorAuthToken=x`)).body.site).toBe(site.id);
  for (const wrong of ['nonsense', 'ftp://acme.com/', 'https://', `https://acme.com/${'x'.repeat(2048)}`])
    expect([wrong, (await anonymous.post('/v1/urls/published', { url: wrong })).status]).toEqual([wrong, 400]);
  expect((await anonymous.post('/v1/urls/published', { url: base, cacheBust: 'x', unknown: {} })).status).toBe(200);
});

test('finds content by its URLs', async () => {
  const own = await spaceTitled(creator, organizationId, 'Own');
  await publish({ title: 'Own', spaces: [guides, own] });
  const find = (address: string, client = creator) =>
    client.restAs('getContentByUrl', 'GET', `/v1/urls/content?url=${encodeURIComponent(address)}`, undefined, {
      beyond: true,
    });
  const [page] = (await creator.get(`/v1/spaces/${own}/content/pages`)).body.pages;
  const { body: space } = await creator.get(`/v1/spaces/${own}`);
  const { body: changeRequest } = await creator.post(`/v1/spaces/${own}/change-requests`, { subject: 'Better' });
  const { collection } = await creator.mutate(
    'createCollection',
    { organizationId, title: 'Shelf' },
    'collection { id urls { app } }',
  );
  expect((await find(space.urls.app)).body).toMatchObject({ space: { id: own } });
  expect((await find(space.urls.location)).body).not.toHaveProperty('page');
  expect((await find(`${space.urls.app}/pages/${page.id}`)).body).toMatchObject({
    space: { id: own },
    page: { id: page.id },
  });
  for (const address of [changeRequest.urls.location, changeRequest.urls.app]) {
    expect((await find(address)).body).toMatchObject({ changeRequest: { id: changeRequest.id } });
  }
  expect((await find(changeRequest.urls.app.replace(/\d+$/, '999'))).status).toBe(404);
  expect((await find(collection.urls.app)).body).toMatchObject({ collection: { id: collection.id } });
  expect((await find(`${base}/own/${page.path}`)).body).toMatchObject({ space: { id: own }, page: { id: page.id } });
  expect((await find(`${base}/`)).body).toMatchObject({ space: { id: guides } });
  await creator.patch(site.path, { visibility: 'share-link' });
  const { body: link } = await creator.post(`${site.path}/share-links`, { name: '' });
  const inSpace = `own/${page.path}`;
  for (const address of [`${link.urls.published}${inSpace}`, `${base}/${inSpace}`])
    expect((await find(address)).body).toMatchObject({ space: { id: own }, page: { id: page.id } });
  expect((await find(link.urls.published)).body).toMatchObject({ space: { id: guides } });
  expect((await find(`${link.urls.published}x/${inSpace}`.replace('/x/', 'x/'))).status).toBe(404);
  await creator.patch(site.path, { visibility: 'public' });
  for (const absent of [
    `${base}/own/nowhere`,
    'https://acme.com/',
    `${space.urls.app}x`,
    changeRequest.urls.location.replace(own, guides),
  ])
    expect([absent, (await find(absent)).status]).toEqual([absent, 404]);
  expect((await find(space.urls.app, outsider)).status).toBe(200);
  await creator.post(`${site.path}/unpublish`);
  expect((await find(space.urls.app, outsider)).status).toBe(404);
  expect((await find(`${base}/`, outsider)).status).toBe(404);
  expect((await find(`${base}/`, reader)).status).toBe(200);
  expect((await anonymous.get(`/v1/urls/content?url=${encodeURIComponent(space.urls.app)}`)).status).toBe(401);
  const data = await creator.graphql(
    `query ($url: String!) { contentByUrl(url: $url) { space { id } page { ... on PageNode { title } } collection { id } } }`,
    { url: `${base}/own/${page.path}` },
  );
  expect(data.contentByUrl).toEqual({ space: { id: own }, page: { title: page.title }, collection: null });
});
