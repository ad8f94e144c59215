import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { appPages } from '../../src/app-pages.ts';
import { absentIds, furnish } from '../structure/furnish.ts';
import { world } from '../world.ts';

const { admin, anonymous, outsider, organizationId, app, url } = await world();
const ids = await furnish(admin, organizationId);
const { publicUrl } = app.services.config;
const changeRequest = (await admin.get(`/v1/spaces/${ids.space}/change-requests/${ids.cr}`)).body;

const ABSENT = { ...absentIds, specSlug: 'absent-spec' };

/** Every address of the application in an answer. */
const appUrlsIn = (body: unknown): string[] =>
  [...JSON.stringify(body).matchAll(/"app":"([^"]+)"/g)].map(([, found = '']) => found.replace(publicUrl, ''));

/** An address with the ids of what is there, or of what is not. */
const addressOf = (path: string, given: typeof ids, number = changeRequest.number) =>
  path
    .replace(':organizationId', String(given.org))
    .replace(':clusterId', String(given.cluster))
    .replace(':collectionId', String(given.collection))
    .replace(':spaceId', String(given.space))
    .replace(':pageId', String(given.page))
    .replace(':revisionId', String(given.rev))
    .replace(':siteId', String(given.site))
    .replace(':slug', String(given.specSlug))
    .replace(':number', String(number));

const read = (path: string) => anonymous.get(`/app${path}`);

test('every application URL in responses is one of the pages', async () => {
  const answers = [
    `/v1/orgs/${organizationId}`,
    `/v1/orgs/${organizationId}/conversations-clusters/${ids.cluster}`,
    `/v1/orgs/${organizationId}/sites/${ids.site}`,
    `/v1/orgs/${organizationId}/openapi/${ids.specSlug}`,
    `/v1/collections/${ids.collection}`,
    `/v1/spaces/${ids.space}`,
    `/v1/spaces/${ids.space}/content`,
    `/v1/spaces/${ids.space}/content/page/${ids.page}`,
    `/v1/spaces/${ids.space}/change-requests/${ids.cr}`,
    `/v1/spaces/${ids.space}/search?query=pixel`,
  ];
  const given = new Set<string>();
  for (const path of answers) for (const found of appUrlsIn((await admin.get(path)).body)) given.add(found);
  for (const found of given) {
    const { status, headers } = await anonymous.get(found);
    expect([found, status, headers.get('content-type')]).toEqual([found, 200, 'text/html; charset=utf-8']);
  }
  const kinds = appPages.filter(({ path }) => given.has(`/app${addressOf(path, ids)}`)).map(({ title }) => title);
  expect(kinds).toEqual(appPages.map(({ title }) => title));
});

test('every application URL that the sources make has a page', () => {
  const made = globSync('src/**/*.ts')
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?:appUrl\(\s*ctx,\s*`|\}\/app)(\/[^`]*)`/g)])
    .map(([, path = '']) => path.replace(/\$\{encodeURI\(anchor\)\}$/, '').replace(/\$\{[^}]*\}/g, ':'));
  const pages = appPages.map(({ path }) => path.replace(/:\w+/g, ':'));
  expect(new Set(made)).toEqual(new Set(pages));
});

test.each(appPages.map((page) => [page.title, page] as const))(
  'the page of a %s links to both APIs, where its resource can be read',
  async (_title, page) => {
    const { body } = await read(addressOf(page.path, ids));
    const links = [...body.matchAll(/href="(https?:[^"]*)"/g)].map(
      ([, href]) => new URL(href.replaceAll('&amp;', '&')),
    );
    expect(links.every(({ origin }) => origin === publicUrl)).toBe(true);
    const graphiql = links.find(({ pathname }) => pathname === '/graphql');
    const query = graphiql?.searchParams.get('query') ?? '';
    const data = await admin.graphql(query);
    expect(Object.values(data)[0]).not.toBeNull();
    const rest = links.find(({ pathname }) => pathname.startsWith('/v1'));
    expect((await admin.get(rest?.pathname ?? '')).status).toBe(200);
    expect((await outsider.get(rest?.pathname ?? '')).status).toBe(404);
  },
);

test.each(appPages.map((page) => [page.title, page] as const))(
  'the page of a %s is the same for absent resources',
  async (_title, page) => {
    const there = await read(addressOf(page.path, ids));
    const absent = await read(addressOf(page.path, ABSENT, 999));
    const names = (given: typeof ids, text: string) =>
      Object.values(given).reduce<string>(
        (done, id) => (typeof id === 'string' ? done.replaceAll(id, 'ID') : done),
        text,
      );
    expect([absent.status, names(ABSENT, absent.body).replaceAll('999', '1')]).toEqual([200, names(ids, there.body)]);
    expect(there.body).not.toContain('Guide');
  },
);

test('a page loads and runs nothing, and requires no token', async () => {
  const { headers, body } = await read(`/spaces/${ids.space}`);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^' ]+'; img-src data:/);
  expect(policy).not.toMatch(/unsafe|https?:|script/);
  expect(body).not.toMatch(/<script|\ssrc=|@import|url\(/);
  expect(body).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>[\s\S]*<main>\s*<h1>/);
  const broken = await fetch(`${url}/app/spaces/${ids.space}`, { headers: { authorization: 'Bearer stemma_x' } });
  expect(broken.status).toBe(200);
});

test('other paths are 404', async () => {
  const { space, page } = ids;
  for (const path of [
    '',
    '/spaces',
    '/spaces/x',
    `/spaces/${page}`,
    `/spaces/${space}/pages/${space}`,
    `/spaces/${space}/change-requests/0`,
    `/spaces/${space}/change-requests/x`,
    `/spaces/${encodeURIComponent('"><script>')}`,
  ]) {
    expect([path, (await read(path)).status]).toEqual([path, 404]);
  }
});
