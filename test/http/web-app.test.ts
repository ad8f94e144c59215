import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filled, placeAt, RESOURCE_KINDS, VIEWS } from '../../web/src/addresses.ts';
import { emojiOf } from '../../web/src/app/format.ts';
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
  filled(path, {
    organizationId: String(given.org),
    clusterId: String(given.cluster),
    collectionId: String(given.collection),
    spaceId: String(given.space),
    pageId: String(given.page),
    revisionId: String(given.rev),
    siteId: String(given.site),
    slug: String(given.specSlug),
    translationId: String(given.translation),
    number: String(number),
  });

const read = (path: string, headers = {}) => fetch(`${url}/app${path}`, { headers });
const HTML = { accept: 'text/html' };

test('every application URL in responses is an address of the application', async () => {
  const answers = [
    `/v1/orgs/${organizationId}`,
    `/v1/orgs/${organizationId}/conversations-clusters/${ids.cluster}`,
    `/v1/orgs/${organizationId}/sites/${ids.site}`,
    `/v1/orgs/${organizationId}/openapi/${ids.specSlug}`,
    `/v1/orgs/${organizationId}/translations/${ids.translation}`,
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
  const kinds = RESOURCE_KINDS.filter(({ path }) => given.has(`/app${addressOf(path, ids)}`)).map(({ title }) => title);
  expect(kinds).toEqual(RESOURCE_KINDS.map(({ title }) => title));
});

test('every application URL that the sources make is of a kind of resource, or of a view of its own', () => {
  const made = globSync('src/**/*.ts')
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?:appUrl\(\s*ctx,\s*`|\}\/app)(\/[^`]*)`/g)])
    .map(([, path = '']) => path.replace(/\$\{encodeURI\(anchor\)\}$/, '').replace(/\$\{[^}]*\}/g, ':'));
  const patternOf = (path: string) => path.replace(/:\w+/g, ':');
  const views = new Set(VIEWS.map(patternOf));
  expect(new Set(made.filter((path) => !views.has(path)))).toEqual(
    new Set(RESOURCE_KINDS.map(({ path }) => patternOf(path))),
  );
});

test.each(RESOURCE_KINDS.flatMap((kind) => (kind.apis ? [[kind.title, kind, kind.apis] as const] : [])))(
  'the query and the REST URL of a %s read it, for those who may',
  async (_title, kind, { query, restPath }) => {
    const place = placeAt(addressOf(kind.path, ids));
    expect(place?.kind).toBe(kind);
    const data = await admin.graphql(filled(query, place?.parameters ?? {}));
    expect(Object.values(data)[0]).not.toBeNull();
    const rest = filled(restPath, place?.parameters ?? {});
    expect((await admin.get(rest)).status).toBe(200);
    expect((await outsider.get(rest)).status).toBe(404);
  },
);

test('the document is the same everywhere, also for absent resources and with a token that is not valid', async () => {
  const own = await (await read(`/spaces/${ids.space}`)).text();
  for (const path of [...RESOURCE_KINDS.map(({ path }) => path), ...VIEWS]) {
    for (const given of [ids, ABSENT]) {
      const answer = await read(addressOf(path, given, 999), { authorization: 'Bearer stemma_x' });
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, own]);
    }
  }
});

test('only files of the application are run, and the document is asked for again each time', async () => {
  const { headers } = await read(`/spaces/${ids.space}`);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toBe(
    `default-src 'none'; script-src ${publicUrl}/app/assets/; style-src ${publicUrl}/app/assets/; img-src 'self' data:; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['no-cache', 'noindex']);
});

test('the document loads files that never change, also compressed', async () => {
  const document = await (await read('')).text();
  expect(document).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/);
  const files = [...document.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(files.map((file) => file.split('.').at(-1)).sort()).toEqual(expect.arrayContaining(['css', 'js']));
  for (const file of files) {
    const plain = await fetch(url + file, { headers: { 'accept-encoding': 'identity' } });
    const text = await plain.text();
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    for (const coding of ['br', 'gzip']) {
      const answer = await fetch(url + file, { headers: { 'accept-encoding': coding } });
      expect(answer.headers.get('content-encoding')).toBe(coding);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toMatch(/^text\/(?:javascript|css); charset=utf-8$/);
      expect(await answer.text()).toBe(text);
    }
  }
});

test('the application begins with at most 200 kB of script, compressed with gzip', async () => {
  const document = await (await read('')).text();
  const scripts = [...document.matchAll(/"(\/app\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const files = new Set(scripts);
  let bytes = 0;
  // A set that grows is read to its end: what a script imports at once is loaded with it.
  for (const path of files) {
    const answer = await fetch(url + path, { headers: { 'accept-encoding': 'gzip' } });
    bytes += Number(answer.headers.get('content-length'));
    const imported = (await answer.text()).matchAll(/\b(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g);
    for (const [, name] of imported) files.add(`/app/assets/${name}`);
  }
  expect([...files].sort()).toEqual(scripts.sort());
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(200_000);
});

test('the way to PUBLIC_URL is seen only where the style sheet is not loaded', async () => {
  const document = await (await read('')).text();
  expect(document).toContain(`<p class="elsewhere">The address of this service is <a href="${publicUrl}/app">`);
  const [, sheet = ''] = /rel="stylesheet" href="([^"]+)"/.exec(document) ?? [];
  expect(await (await fetch(url + sheet)).text()).toMatch(/\.elsewhere\s*\{\s*visibility:\s*hidden/);
});

test('what is not a file of the application is 404', async () => {
  for (const name of [
    'x.js',
    'main-AAAAAAAA.js',
    'manifest.json',
    'sources.sha256',
    '..%2Fmain.mjs',
    '%2e%2e%2fmain-AAAAAAAA.js',
  ]) {
    expect([name, (await fetch(`${url}/app/assets/${name}`)).status]).toEqual([name, 404]);
  }
});

test('other addresses are 404, with the application for browsers', async () => {
  const { space, page } = ids;
  for (const path of [
    '/spaces',
    '/spaces/x',
    `/spaces/${page}`,
    `/spaces/${space}/pages/${space}`,
    `/spaces/${space}/change-requests/0`,
    `/spaces/${space}/change-requests/x`,
    `/spaces/${encodeURIComponent('"><script>')}`,
  ]) {
    const other = await read(path);
    expect([path, other.status, other.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/json; charset=utf-8',
    ]);
    const browser = await read(path, HTML);
    expect([path, browser.status, browser.headers.get('content-type')]).toEqual([
      path,
      404,
      'text/html; charset=utf-8',
    ]);
  }
});

test('without JavaScript, the document says how to read the content', async () => {
  const document = await (await read('')).text();
  const [, inside = ''] = /<noscript>([\s\S]*)<\/noscript>/.exec(document) ?? [];
  const links = [...inside.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
  expect(links).toEqual(['/docs', '/account', '/handbook']);
  for (const path of links) expect((await fetch(url + path)).status).toBe(200);
});

test.each([
  ['🚀', '🚀'],
  ['❤️', '❤️'],
  ['1f4d8', '📘'],
  ['1F4D8', '📘'],
  ['1f1e9-1F1EA', '🇩🇪'],
  ['110000', ''],
  ['ffffff', ''],
  ['<b>', ''],
  ['', ''],
  [null, ''],
])('the emoji %j of the graph is shown as %j', (emoji, shown) => {
  expect(emojiOf(emoji)).toBe(shown);
});
