import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids/ids.ts';
import { statementsOf } from '../client.ts';
import { importing, zipOf } from '../content/import-engine/arrange.ts';
import { world } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';
import { publishedSite, show } from './reader-world.ts';

const w = await world();
const { app, creator, editor, reader, guest, outsider, anonymous, organizationId, grant, advance } = w;
const { newSpace, upload, importInto } = importing(w);
const [guides, api] = [
  await spaceTitled(creator, organizationId, 'Guides'),
  await spaceTitled(creator, organizationId, 'API'),
];
const external = (url: string) => ({ kind: 'external', url });
const ACME = external('https://acme.com/');

let site: Awaited<ReturnType<typeof siteWith>>;
beforeEach(async () => {
  site = await siteWith(creator, organizationId, { title: 'Docs', spaces: [guides, api] });
});

const at = (path: string) => `${site.path}/${path}`;
const create = (body: Record<string, unknown>) => creator.post(at('redirects'), body);
const targetOf = async (source: string, client = creator) => {
  const { body, status } = await client.get(at(`redirect?source=${encodeURIComponent(source)}`));
  return status === 200 ? body.target : status;
};

test('creates, reads, changes and deletes a redirect on both transports', async () => {
  const given = { source: '/Old/page', permanent: true, destination: ACME };
  const answer = await creator.restAs('createSiteRedirect', 'POST', at('redirects'), given);
  expect([answer.status, answer.body]).toMatchObject([201, { ...given, draft: false, captureWildcard: false }]);
  const { siteRedirect } = await creator.mutate(
    'updateSiteRedirect',
    { siteRedirectId: answer.body.id, destination: { url: 'https://acme.com/new' }, permanent: false },
    'siteRedirect { source permanent destination { kind url } site { id } }',
  );
  expect(siteRedirect).toEqual({
    source: '/Old/page',
    permanent: false,
    destination: { kind: 'EXTERNAL', url: 'https://acme.com/new' },
    site: { id: site.id },
  });
  expect((await create({ ...given, source: '/old/PAGE' })).status).toBe(409);
  expect(await targetOf('/OLD/page/')).toBe('https://acme.com/new');
  const path = at(`redirects/${answer.body.id}`);
  expect((await creator.patch(path, { draft: true })).body.draft).toBe(true);
  expect(await targetOf('/old/page')).toBe(404);
  const data = await creator.graphql(
    `query ($id: ID!) { site(id: $id) { redirects(draft: true) { nodes { id } } redirect(source: "/old/page") { target } } }`,
    { id: site.id },
  );
  expect(data.site).toEqual({ redirects: { nodes: [{ id: answer.body.id }] }, redirect: null });
  expect([(await creator.delete(path)).status, (await creator.delete(path)).status]).toEqual([204, 204]);
});

test('leads to sections, spaces and pages of the site', async () => {
  const [first, second] = (await creator.get(at('site-spaces'))).body.items;
  const [page] = (await creator.get(`/v1/spaces/${api}/content/pages`)).body.pages;
  const base = `${app.services.config.sitesUrl}/${organizationId}/${site.body.basename}/`;
  for (const [source, destination, target] of [
    ['/a', { kind: 'site-space', siteSpaceId: first.id }, base],
    ['/b', { kind: 'site-space', siteSpaceId: second.id }, `${base}api/`],
    ['/c', { kind: 'site-page', siteSpaceId: second.id, pageId: page.id }, `${base}api/${page.path}`],
    ['/d', { kind: 'path', spaceId: api, path: `/${page.path}` }, `${base}api/${page.path}`],
  ] as const) {
    expect([source, (await create({ source, destination })).status]).toEqual([source, 201]);
    expect([source, await targetOf(source)]).toEqual([source, target]);
  }
  await creator.post(at('publish'));
  expect(await targetOf('/c', anonymous)).toBe(`${base}api/${page.path}`);
  await creator.delete(at(`site-spaces/${second.id}`));
  expect(await targetOf('/c')).toBe(404);
  const section = (await creator.post(at('sections'), { spaceId: api, title: 'More' })).body;
  await create({ source: '/e', destination: { kind: 'site-section', siteSectionId: section.id } });
  expect(await targetOf('/e')).toBe(`${base}more/`);
});

test('a path itself goes first, then the longest source with a wildcard', async () => {
  await create({ source: '/docs/*', destination: external('https://acme.com/all'), captureWildcard: true });
  await create({ source: '/docs/v1/*', destination: external('https://acme.com/one/*/end') });
  await create({ source: '/docs/v2*', destination: external('https://acme.com/two') });
  await create({ source: '/docs/v1/start', destination: ACME });
  const found = ['/docs', '/docs/A/b', '/docs/v1/x', '/docs/v2.3/y', '/Docs/V1/start', '/doc', '/'].map((path) =>
    targetOf(path),
  );
  expect(await Promise.all(found)).toEqual([
    'https://acme.com/all',
    'https://acme.com/all/A/b',
    'https://acme.com/one/x/end',
    'https://acme.com/two',
    'https://acme.com/',
    404,
    404,
  ]);
});

test.each([
  ['source', { source: 'docs', destination: ACME }],
  ['source', { source: '/a/*/b', destination: ACME }],
  ['source', { source: '/*', destination: ACME }],
  ['source', { source: '/a b', destination: ACME }],
  ['destination', { source: '/a', destination: external('javascript:alert(1)') }],
  ['destination', { source: '/a', destination: { kind: 'site-space', siteSpaceId: 'nonsense' } }],
  ['destination', { source: '/a', destination: { kind: 'site-section', siteSectionId: 'nonsense' } }],
  ['destination', { source: '/a', destination: { kind: 'path', spaceId: api, path: 'nowhere' } }],
  ['destination', { source: '/a', destination: { kind: 'moon' } }],
  ['destination', { source: '/a' }],
])('refuses a wrong %s', async (name, body) => {
  const answer = await create(body);
  expect([answer.status, answer.body.error?.message]).toEqual([400, expect.stringContaining(name)]);
});

test('the rest of a path never becomes part of a host', async () => {
  for (const url of ['https://*.acme.com/', 'https://acme.com*', 'https://me*@acme.com/']) {
    const { status, body } = await create({ source: '/to/*', destination: external(url) });
    expect([url, status, body.error?.message ?? '']).toEqual([url, 400, expect.stringContaining('before the path')]);
  }
});

test('paths match however their characters are encoded, in the API and at the site', async () => {
  const { path, at: urlOf } = await publishedSite(creator, organizationId, { title: 'Encoded', spaces: [guides] });
  site = { ...site, path };
  const sources = ['/wiki/Foo_%28bar%29', '/%7Ejohn', '/a%2Db', '/caf%C3%A9%21', '/it%27s%2a/*', '/c%2B%2b'];
  for (const source of sources) {
    const destination = external(`https://acme.com/${sources.indexOf(source)}`);
    expect([source, (await create({ source, destination, captureWildcard: true })).status]).toEqual([source, 201]);
  }
  for (const [requested, index] of [
    ['/wiki/Foo_(bar)', 0],
    ['/wiki/foo_%28Bar%29', 0],
    ['/~john', 1],
    ['/%7ejohn', 1],
    ['/a-b', 2],
    ['/café!', 3],
    ['/caf%C3%A9%21', 3],
    ["/it's*/a(b)", '4/a%28b%29'],
    ['/it%27s%2A', 4],
    ['/c++', 5],
    ['/c%2b+', 5],
    ['/c%20%20', 404],
    ['/\ud800', 404],
  ] as const) {
    const target = index === 404 ? 404 : `https://acme.com/${index}`;
    if (requested.isWellFormed()) {
      expect([requested, await targetOf(requested, anonymous)]).toEqual([requested, target]);
      const { status, headers } = await show(urlOf(requested.slice(1)));
      expect([requested, headers.get('location') ?? status]).toEqual([requested, target]);
    } else {
      const data = await creator.graphql(
        `query ($id: ID!, $source: String!) { site(id: $id) { redirect(source: $source) { target } } }`,
        {
          id: (await creator.get(path)).body.id,
          source: requested,
        },
      );
      expect(data.site.redirect).toBeNull();
    }
  }
  expect((await create({ source: '/~JOHN', destination: ACME })).status).toBe(409);
  const { results } = (await creator.put(at('redirects'), { redirects: [{ source: '/~john', destination: ACME }] }))
    .body;
  expect([results[0].status, await targetOf('/%7Ejohn')]).toEqual(['updated', ACME.url]);
  expect((await creator.get(at('redirects?search=o_%2528B'))).body.items).toMatchObject([{ source: sources[0] }]);
});

test('redirects with a former key are found as they were, and get a canonical one when they are written', async () => {
  await create({ source: '/%7Eann', destination: external('https://acme.com/ann') });
  await create({ source: '/%7Eeve/*', destination: external('https://acme.com/eve'), captureWildcard: true });
  const table = app.services.db.updateTable('site_redirect').where('siteId', '=', site.id);
  await table.where('isWildcard', '=', false).set({ key: '/%7eann' }).execute();
  await table.where('isWildcard', '=', true).set({ key: '/%7eeve/' }).execute();
  expect([await targetOf('/%7Eann'), await targetOf('/~ann')]).toEqual(['https://acme.com/ann', 404]);
  expect(await targetOf('/%7Eeve/a')).toBe('https://acme.com/eve/a');
  // A second redirect of the same path, which the former key does not prevent.
  expect((await create({ source: '/~ann', destination: ACME })).status).toBe(201);
  for (const url of ['https://acme.com/1', 'https://acme.com/2']) {
    const redirects = ['/~ann', '/~eve/*'].map((source) => ({ source, destination: external(url) }));
    const { body } = await creator.put(at('redirects'), { redirects });
    expect(body.results).toMatchObject([{ status: 'updated' }, { status: 'updated' }]);
    expect([await targetOf('/~ann'), await targetOf('/~eve/a')]).toEqual([url, url]);
  }
});

test('a path that led nowhere is redirected as soon as there is a redirect', async () => {
  const { path, at: urlOf } = await publishedSite(creator, organizationId, { title: 'Moving', spaces: [guides] });
  const shown = async () => {
    const responses = [await show(urlOf('gone')), await show(urlOf('gone.md'))];
    return responses.map(({ status, headers }) => headers.get('location') ?? status);
  };
  expect([await shown(), await shown()]).toEqual([
    [404, 200],
    [404, 200],
  ]);
  expect((await creator.post(`${path}/redirects`, { source: '/gone*', destination: ACME })).status).toBe(201);
  expect(await shown()).toEqual([ACME.url, ACME.url]);
});

test('destinations that are not on the site are refused by their id, and record no event', async () => {
  const elsewhere = await spaceTitled(creator, organizationId, 'Elsewhere');
  const { body: siteSpace } = await creator.get(at('site-spaces?limit=1'));
  const [siteSpaceId, absentPage, absentSpace] = [siteSpace.items[0].id, newId('page'), newId('sitespace')];
  const events = () => app.services.db.selectFrom('event').select('id').execute();
  const before = (await events()).length;
  for (const [id, destination] of [
    [elsewhere, { kind: 'path', spaceId: elsewhere, path: 'page' }],
    [absentPage, { kind: 'site-page', siteSpaceId, pageId: absentPage }],
    [absentSpace, { kind: 'site-space', siteSpaceId: absentSpace }],
  ] as const) {
    const { status, body } = await create({ source: '/a', destination });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(`"${id}" is not a`)]);
    const { body: written } = await creator.put(at('redirects'), { redirects: [{ source: '/a', destination }] });
    expect(written.results).toMatchObject([{ status: 'error', error: expect.stringContaining(id) }]);
  }
  expect((await events()).length).toBe(before);
});

test('writes many redirects, with a result for each', async () => {
  const put = async (redirects: unknown[]) => {
    const { status, body } = await creator.restAs('bulkUpsertSiteRedirects', 'PUT', at('redirects'), { redirects });
    expect(status).toBe(200);
    return body.results.map((result: { status: string }) => result.status);
  };
  const many = Array.from({ length: 500 }, (_, index) => ({ source: `/p/${index}`, destination: ACME }));
  expect(new Set(await put(many))).toEqual(new Set(['created']));
  expect((await creator.get(at('redirects?search=/P/49&limit=1'))).body.count).toBe(11);
  expect(
    await put([
      { source: '/P/0', destination: external('https://acme.com/0') },
      { source: '/p/1', destination: null },
      { source: '/p/1', destination: null },
      { source: '/p/2', intent: 'draft', destination: external('https://acme.com/2') },
      { source: '/p/2', intent: 'publish' },
      { source: '/p/3', intent: 'publish' },
      { source: '/p/4', destination: { kind: 'site-space', siteSpaceId: 'nonsense' } },
    ]),
  ).toEqual(['updated', 'deleted', 'error', 'created', 'published', 'error', 'error']);
  expect([await targetOf('/p/0'), await targetOf('/p/1'), await targetOf('/p/2'), await targetOf('/p/4')]).toEqual([
    'https://acme.com/0',
    404,
    'https://acme.com/2',
    'https://acme.com/',
  ]);
  expect((await creator.get(at('redirects?limit=0'))).body.count).toBe(499);
  expect((await creator.put(at('redirects'), { redirects: [...many, many[0]] })).status).toBe(400);
});

const imported = async (csv: string) => {
  const { status, body } = await creator.post(at('redirects/import'), { csv });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.results;
};

test('redirects that are written or imported again keep the time when they were created', async () => {
  const redirects = ['/a', '/b', '/c'].map((source) => ({ source, destination: ACME }));
  await creator.put(at('redirects'), { redirects });
  const times = async () => {
    const { items } = (await creator.get(at('redirects'))).body;
    const all = items.map((item: Record<string, string>) => [item.source, [item.createdAt, item.updatedAt]]);
    return Object.fromEntries(all) as Record<string, [created: string, updated: string]>;
  };
  const before = await times();
  advance(60_000);
  const newer = external('https://acme.com/newer');
  await creator.put(at('redirects'), {
    redirects: [
      { source: '/A', destination: newer },
      { source: '/d', destination: newer },
    ],
  });
  await imported('/b,https://acme.com/newer');
  const after = await times();
  expect([after['/A']?.[0], after['/b']?.[0], after['/c']]).toEqual([
    before['/a']?.[0],
    before['/b']?.[0],
    before['/c'],
  ]);
  for (const source of ['/A', '/b', '/d'])
    expect(Date.parse(after[source]?.[1] ?? '')).toBeGreaterThan(Date.parse(before['/c']?.[1] ?? ''));
  expect(after['/d']?.[0]).toBe(after['/d']?.[1]);
});

test('imports redirects from comma-separated values, to URLs and to paths of the site', async () => {
  const [first, second] = (await creator.get(at('site-spaces'))).body.items;
  const [page] = (await creator.get(`/v1/spaces/${api}/content/pages`)).body.pages;
  const csv = [
    'Source,Destination,Permanent,capture_wildcard,draft',
    '/old,https://acme.com/new,true,,',
    `/moved,/${second.path}/${page.path},no,,`,
    '"/home",/,,,',
    '/blog/*,https://blog.acme.com/,,yes,',
    '/soon,https://acme.com/soon,,,true',
    '',
  ].join('\r\n');
  expect(await imported(`\uFEFF${csv}`)).toMatchObject(
    ['/old', '/moved', '/home', '/blog/*', '/soon'].map((source) => ({ status: 'created', source })),
  );
  const { items } = (await creator.get(at('redirects'))).body;
  const of = (source: string) => items.find((item: { source: string }) => item.source === source);
  expect(of('/old')).toMatchObject({ permanent: true, destination: external('https://acme.com/new') });
  expect(of('/moved').destination).toEqual({ kind: 'site-page', siteSpaceId: second.id, pageId: page.id });
  expect(of('/home').destination).toEqual({ kind: 'site-space', siteSpaceId: first.id });
  expect([of('/soon'), await targetOf('/soon')]).toEqual([undefined, 404]);
  expect(await targetOf('/blog/2026')).toBe('https://blog.acme.com/2026');
  const { results, site: shown } = await creator.mutate(
    'importSiteRedirects',
    { siteId: site.id, csv: '/old,https://acme.com/newer\n/else,https://acme.com/else' },
    'results { status source redirectId error } site { id redirects { totalCount } }',
  );
  expect(results).toEqual([
    { status: 'UPDATED', source: '/old', redirectId: of('/old').id, error: null },
    { status: 'CREATED', source: '/else', redirectId: expect.any(String), error: null },
  ]);
  expect(shown).toMatchObject({ id: site.id });
  expect((await creator.get(at('redirects?search=/old'))).body.items).toMatchObject([
    { permanent: true, destination: external('https://acme.com/newer') },
  ]);
});

test('rows of an import that cannot be written say why, and do not prevent the others', async () => {
  const results = await imported(
    [
      'source,destination,permanent',
      'old,https://acme.com/,',
      '/a,javascript:alert(1),',
      '/b,/no/such/page,',
      '/c,/?q=1,',
      '/d,https://acme.com/,maybe',
      '/e,https://acme.com/,true,more',
      '/f,https://*.com/,',
      '/h,https://acme.com/,constructor',
      '/g,https://acme.com/g,',
    ].join('\n'),
  );
  const reasons = [
    /^The source must be a path/,
    /^The destination must be/,
    /^"\/no\/such\/page" is not the path of a page/,
    /query or a fragment/,
    /^"maybe" is neither true nor false/,
    /more cells/,
    /^The destination must be/,
    /^"constructor" is neither true nor false/,
  ];
  expect(results).toMatchObject([
    ...reasons.map((reason) => ({ status: 'error', error: expect.stringMatching(reason) })),
    { status: 'created', source: '/g' },
  ]);
  expect((await creator.get(at('redirects?limit=0'))).body.count).toBe(1);
});

test('an import is refused as a whole if it is no list of redirects, or has more than 500', async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => `/p/${index},https://acme.com/${index}`).join('\n');
  for (const [csv, message] of [
    ['', 'must not be empty'],
    ['\n\n', 'does not contain redirects'],
    ['source,destination\n', 'does not contain redirects'],
    ['source,target\n/a,https://acme.com/', '"target" is not one of the columns'],
    ['source,permanent\n/a,true', 'must name the columns'],
    ['/a,"https://acme.com/', 'Line 1'],
    [rows(501), 'more than 500'],
    ['x'.repeat(300_001), 'at most 300000'],
  ] as const) {
    const { status, body } = await creator.post(at('redirects/import'), { csv });
    expect([csv.slice(0, 20), status, body.error.message]).toEqual([
      csv.slice(0, 20),
      400,
      expect.stringContaining(message),
    ]);
  }
  expect((await creator.post(at('redirects/import'), {})).status).toBe(400);
  const answer = await creator.post(at('redirects/import'), { csv: rows(500) });
  expect(answer.body.results).toHaveLength(500);
  const [one] = [await creator.post(at('redirects/import'), { csv: '/x,/' })];
  expect(statementsOf(answer)).toBeLessThanOrEqual(statementsOf(one) + 2);
});

test('redirects need the role create on the site, and reading them a role', async () => {
  const { body } = await create({ source: '/a', destination: ACME });
  await grant(site.id, editor.userId, 'edit');
  for (const [method, path, given] of [
    ['POST', 'redirects', { source: '/b', destination: ACME }],
    ['PUT', 'redirects', { redirects: [{ source: '/b', destination: ACME }] }],
    ['POST', 'redirects/import', { csv: '/b,https://acme.com/' }],
    ['PATCH', `redirects/${body.id}`, { permanent: true }],
    ['DELETE', `redirects/${body.id}`, undefined],
  ] as const) {
    expect([method, (await editor.send(method, at(path), given)).status]).toEqual([method, 403]);
    expect([method, (await outsider.send(method, at(path), given)).status]).toEqual([method, 404]);
  }
  expect((await reader.get(at('redirects'))).body.count).toBe(1);
  await creator.post(at('publish'));
  expect([(await guest.get(at('redirects'))).status, await targetOf('/a', guest)]).toEqual([403, 'https://acme.com/']);
});

test('former paths of pages come first, then those of .gitbook.yaml, then redirects of the site', async () => {
  const spaceId = await newSpace('Manual');
  const archive = await zipOf({
    '.gitbook.yaml': 'redirects:\n  old/start: setup.md\n  begin: setup.md\n  renamed: setup.md\n',
    'README.md': '# Home\n',
    'SUMMARY.md': '* [Home](README.md)\n* [Setup](setup.md)\n* [Usage](usage.md)\n',
    'setup.md': '# Setup\n',
    'usage.md': '# Usage\n',
  });
  await importInto(spaceId, (await upload(archive)).url, 'zip');
  const { pages } = (await creator.get(`/v1/spaces/${spaceId}/content/pages`)).body;
  const usage = pages.find(({ title }: { title: string }) => title === 'Usage');
  const slug = async (to: string) =>
    creator.post(`/v1/spaces/${spaceId}/content`, {
      changes: [{ operation: 'update_page', page: usage.id, slug: to }],
    });
  await slug('renamed');
  await slug('manual');
  site = await siteWith(creator, organizationId, { title: 'Manual', spaces: [guides, spaceId] });
  const base = `${app.services.config.sitesUrl}/${organizationId}/${site.body.basename}/manual/`;
  for (const source of ['/manual/usage', '/manual/begin', '/nowhere']) await create({ source, destination: ACME });
  const paths = ['/manual/old/start', '/manual/begin', '/manual/usage', '/manual/Setup', '/nowhere', '/manual/none'];
  expect(await Promise.all(paths.map((path) => targetOf(path)))).toEqual([
    `${base}setup`,
    `${base}setup`,
    `${base}manual`,
    `${base}setup`,
    ACME.url,
    404,
  ]);
  expect(await targetOf('/manual/renamed')).toBe(`${base}manual`);
  const data = await creator.graphql(
    `query ($id: ID!) { site(id: $id) { redirect(source: "/manual/usage") { automatic target redirect { id } } } }`,
    { id: site.id },
  );
  expect(data.site.redirect).toEqual({ automatic: true, target: `${base}manual`, redirect: null });
  const answer = await creator.restAs('getSiteRedirectBySource', 'GET', at('redirect?source=/manual/usage'));
  expect(answer.body.redirect.destination).toMatchObject({ kind: 'site-page', pageId: usage.id });
});
