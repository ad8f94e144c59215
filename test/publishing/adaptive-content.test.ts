import { expect, test } from 'vitest';
import { admitVisitor, visitorOfRequest } from '../../src/domain/publishing/audiences/index.ts';
import type { Client } from '../client.ts';
import { world } from '../world.ts';
import { outlineOf, siteWith, spaceTitled } from './arrange.ts';
import { enlarge } from './large-site.ts';
import { visitorOf, visitorToken } from './visiting.ts';

const { app, url, admin, outsider, guest, anonymous, organizationId, grant } = await world();
const { services } = app;
const BETA = 'visitor.claims.isBeta == true';

/** A published site whose content depends on claims, with its key. */
async function adaptiveSite(title: string, spaces: string[], visibility = 'public') {
  const site = await siteWith(admin, organizationId, { title, visibility, spaces });
  await admin.patch(site.path, { adaptiveContent: { enabled: true } });
  await admin.post(`${site.path}/publish`);
  const { body } = await admin.get(`${site.path}/publishing/auth`);
  const visitor = async (claims?: Record<string, unknown>, unsignedClaims?: unknown) =>
    visitorOf(app, url, site.id, {
      ...(claims && { jwtToken: await visitorToken(body.privateKey, claims) }),
      unsignedClaims,
    });
  return { ...site, visitor, privateKey: body.privateKey as string };
}

const insert = (spaceId: string, pages: object[]) =>
  admin.post(`/v1/spaces/${spaceId}/content`, {
    changes: pages.map((page) => ({ operation: 'insert_page', ...page })),
  });

test('site spaces, sections and links are hidden from visitors whose claims do not meet their condition', async () => {
  const [open, beta, guide] = [
    await spaceTitled(admin, organizationId, 'Open'),
    await spaceTitled(admin, organizationId, 'Beta'),
    await spaceTitled(admin, organizationId, 'Guide'),
  ];
  const site = await adaptiveSite('Sections', [open]);
  const section = (await admin.post(`${site.path}/sections`, { spaceId: guide, title: 'Guides' })).body;
  await admin.patch(`${site.path}/sections/${section.id}`, { condition: 'visitor.claims.unsigned.guides' });
  const added = (await admin.post(`${site.path}/site-spaces`, { spaceId: beta })).body;
  expect((await admin.patch(`${site.path}/site-spaces/${added.id}`, { condition: BETA })).status).toBe(200);
  await admin.post(`${site.path}/external-links`, { title: 'Portal', url: 'https://example.com', condition: BETA });

  const seenBy = async (client: Client) => {
    const { body } = await client.get(`${site.path}/published`);
    const spaces = await Promise.all([open, beta, guide].map((id) => client.get(`/v1/spaces/${id}`)));
    const { site: inGraph } = await client.graphql(
      `{ site(id: "${site.id}") { siteSpacesCount features { key } siteSpaces(first: 9) { totalCount } } }`,
    );
    const { siteSpacesCount, features, siteSpaces } = inGraph;
    // The numbers and features of a site must not reveal what is hidden.
    expect(siteSpacesCount).toBe(siteSpaces.totalCount);
    const keys = features.map(({ key }: { key: string }) => key);
    const seesBeta = spaces[1]?.status === 200;
    expect(keys.includes('SITES_MULTIVARIANT_SITE')).toBe(seesBeta);
    return [outlineOf(body.structure.structure), spaces.map(({ status }) => status), siteSpaces.totalCount];
  };
  const all = [[{ Sections: ['Open', 'Beta'] }, { Guides: ['Guide'] }, 'Portal'], [200, 200, 200], 3];
  const some = [[{ Sections: ['Open'] }], [200, 404, 404], 1];
  expect(await seenBy(admin)).toEqual(all);
  expect(await seenBy(await site.visitor({ isBeta: true }, { guides: 1 }))).toEqual(all);
  expect(await seenBy(await site.visitor({ isBeta: true }))).toEqual([
    [{ Sections: ['Open', 'Beta'] }, 'Portal'],
    [200, 200, 404],
    2,
  ]);
  expect(await seenBy(await site.visitor({ unsigned: { guides: true } }, { isBeta: true }))).toEqual(some);
  expect(await seenBy(await site.visitor())).toEqual(some);
  expect(await seenBy(outsider)).toEqual(some);
  const [, statuses] = await seenBy(outsider);
  expect(statuses).toEqual([200, 404, 404]);
  expect((await anonymous.get(`/v1/spaces/${beta}`)).status).toBe(401);
});

test('a share key beside the token of a visitor shows nothing that the claims hide', async () => {
  const [free, pro] = [
    await spaceTitled(admin, organizationId, 'Free'),
    await spaceTitled(admin, organizationId, 'Pro'),
  ];
  const site = await adaptiveSite('Plans', [free, pro]);
  const [first, second] = (await admin.get(`${site.path}/site-spaces`)).body.items;
  const isPro = 'visitor.claims.unsigned.pro';
  await admin.patch(`${site.path}/site-spaces/${first.id}`, { condition: `!${isPro}` });
  await admin.patch(`${site.path}/site-spaces/${second.id}`, { condition: isPro });
  const links = [`!${isPro}`, isPro].map((condition) => ({
    title: condition,
    to: { kind: 'url', url: 'https://acme.com/' },
    condition,
  }));
  await admin.put(`${site.path}/customization`, { header: { links } });
  await admin.patch(site.path, { visibility: 'share-link' });
  const { body: link } = await admin.post(`${site.path}/share-links`, { name: '' });
  const shareKey = link.urls.published.split('/').at(-2);
  const visitor = await visitorOf(app, url, site.id, { shareKey, unsignedClaims: { pro: true } });
  for (const query of ['', `?shareKey=${shareKey}`]) {
    const { body } = await visitor.get(`${site.path}/published${query}`);
    const titles = body.customizations.site.header.links.map(({ title }: { title: string }) => title);
    expect([query, outlineOf(body.structure.structure), titles]).toEqual([query, ['Pro'], [isPro]]);
    const statuses = [free, pro].map(async (id) => (await visitor.get(`/v1/spaces/${id}${query}`)).status);
    expect([query, await Promise.all(statuses)]).toEqual([query, [404, 200]]);
  }
  expect((await visitor.get(`${site.path}/published?shareKey=wrong`)).status).toBe(404);
});

test('invented claims fill the memory only up to a limit, which is that of what they show', async () => {
  const shown = async (siteId: string, n: number) => {
    const admission = await admitVisitor({ services }, siteId, { unsignedClaims: { n } });
    return 'visit' in admission ? admission.visit.spaceIds : undefined;
  };
  const [first, second] = [
    await spaceTitled(admin, organizationId, 'Small'),
    await spaceTitled(admin, organizationId, 'Large'),
  ];
  const [small, large] = [await adaptiveSite('Small', [first]), await adaptiveSite('Large', [second])];
  await enlarge(services.db, large.id, { spaceId: second, sections: 1, spaces: 1_500 });
  for (const [{ id }, isCached] of [
    [small, true],
    [large, false],
  ] as const) {
    const before = await shown(id, 0);
    expect(await shown(id, 0)).toBe(before);
    for (let n = 1; n <= 150; n++) await shown(id, n);
    expect([id, (await shown(id, 0)) === before]).toEqual([id, isCached]);
  }
});

test('without adaptive content, nobody meets a condition on claims, and changes take effect at once', async () => {
  const [open, beta] = [
    await spaceTitled(admin, organizationId, 'Always'),
    await spaceTitled(admin, organizationId, 'Maybe'),
  ];
  const site = await adaptiveSite('Switched', [open, beta]);
  const [, second] = (await admin.get(`${site.path}/site-spaces`)).body.items;
  const visitor = await site.visitor({ isBeta: true });
  const status = async () => (await visitor.get(`/v1/spaces/${beta}`)).status;
  expect(await status()).toBe(200);
  await admin.patch(`${site.path}/site-spaces/${second.id}`, { condition: 'visitor.claims.isBeta == false' });
  expect(await status()).toBe(404);
  await admin.patch(`${site.path}/site-spaces/${second.id}`, { condition: BETA });
  expect(await status()).toBe(200);
  await admin.patch(site.path, { adaptiveContent: { enabled: false } });
  expect(await status()).toBe(404);
  await admin.patch(`${site.path}/site-spaces/${second.id}`, { condition: null });
  expect(await status()).toBe(200);
});

test('hidden pages are absent from the tree, from reads, from search and from neighbors', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Pages');
  const made = await insert(spaceId, [
    { title: 'Secret start', condition: BETA, ref: 'secret', document: { markdown: 'Zanzibar plans' } },
    { title: 'Welcome', document: { markdown: 'Zanzibar for all' } },
    { title: 'Last', document: { markdown: 'The end' } },
  ]);
  expect(made.status).toBe(200);
  const pages = (await admin.get(`/v1/spaces/${spaceId}/content/pages`)).body.pages;
  const secret = pages.find(({ title }: { title: string }) => title === 'Secret start');
  await insert(spaceId, [{ title: 'Below', into: secret.id, document: { markdown: 'Zanzibar details' } }]);
  const last = pages.find(({ title }: { title: string }) => title === 'Last');
  await insert(spaceId, [{ title: 'For testers', into: last.id, condition: BETA, document: {} }]);
  const site = await adaptiveSite('Adaptive pages', [spaceId]);
  const below = (await admin.get(`/v1/spaces/${spaceId}/content/path/secret-start%2Fbelow`)).body;
  const seenBy = async (client: Client) => {
    const at = `/v1/spaces/${spaceId}`;
    const titles = (await client.get(`${at}/content/pages`)).body.pages.map(({ title }: { title: string }) => title);
    const reads = await Promise.all(
      [
        `${at}/content/page/${secret.id}`,
        `${at}/content/page/${below.id}`,
        `${at}/content/path/secret-start`,
        `${at}/content/path/secret-start%2Fbelow`,
        `${at}/documents/${below.documentId}`,
      ].map(async (path) => (await client.get(path)).status),
    );
    const { body: found } = await client.get(`${at}/search?query=zanzibar`);
    const { space } = await client.graphql(
      `{ space(id: "${spaceId}") { search(query: "zanzibar", first: 9) { nodes { title } }
        allPages { totalCount nodes { title hasChildren } } last: page(pageId: "${last.id}") { title hasChildren }
        revision { home: page(path: "") { title } page(path: "welcome") { ... on DocumentPage { previous { title } next { title } } } } } }`,
    );
    return {
      titles: titles.filter((title: string) => title !== 'Pages'),
      reads,
      found: found.items.map(({ title }: { title: string }) => title).toSorted(),
      inGraph: space.search.nodes.map(({ title }: { title: string }) => title).toSorted(),
      page: space.revision.page,
      listed: space.allPages.nodes.map(({ title }: { title: string }) => title),
      isCounted: space.allPages.totalCount === space.allPages.nodes.length,
      hasChildren: [space.allPages.nodes.find(({ title }: { title: string }) => title === 'Last'), space.last].map(
        (page) => page.hasChildren,
      ),
    };
  };
  const everything = {
    titles: ['Secret start', 'Welcome', 'Last'],
    reads: [200, 200, 200, 200, 200],
    found: ['Below', 'Secret start', 'Welcome'],
    inGraph: ['Below', 'Secret start', 'Welcome'],
    listed: ['Pages', 'Secret start', 'Below', 'Welcome', 'Last', 'For testers'],
    isCounted: true,
    hasChildren: [true, true],
  };
  const page = { previous: { title: 'Below' }, next: { title: 'Last' } };
  expect(await seenBy(admin)).toMatchObject({ ...everything, page });
  expect(await seenBy(await site.visitor({ isBeta: true }))).toMatchObject(everything);
  const less = {
    titles: ['Welcome', 'Last'],
    reads: [404, 404, 404, 404, 404],
    found: ['Welcome'],
    inGraph: ['Welcome'],
    page: { previous: { title: 'Pages' }, next: { title: 'Last' } },
    listed: ['Pages', 'Welcome', 'Last'],
    isCounted: true,
    hasChildren: [false, false],
  };
  expect(await seenBy(await site.visitor({}, { isBeta: true }))).toMatchObject(less);
  expect(await seenBy(outsider)).toMatchObject(less);
});

test('blocks are hidden in every form of a body, and in reusable contents', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Blocks');
  const markdown = `For all\n\n{% if ${BETA} %}\nFor testers\n{% endif %}\n`;
  await insert(spaceId, [{ title: 'Conditional', document: { markdown } }]);
  const site = await adaptiveSite('Blocks', [spaceId]);
  const page = (await admin.get(`/v1/spaces/${spaceId}/content/path/conditional`)).body;
  const at = `/v1/spaces/${spaceId}`;
  const bodies = async (client: Client) => {
    const answers = await Promise.all([
      ...['document', 'markdown'].map((format) => client.get(`${at}/content/page/${page.id}?format=${format}`)),
      ...['true', 'false', 'deterministic-only'].map((evaluated) =>
        client.get(`${at}/content/page/${page.id}?evaluated=${evaluated}`),
      ),
      client.get(`${at}/documents/${page.documentId}`),
      client.graphqlRaw(
        `{ space(id: "${spaceId}") { revision { page(path: "conditional") { ... on DocumentPage { markdown document } } } } }`,
      ),
    ]);
    return answers.map(({ status, body }) => {
      const text = JSON.stringify(body);
      return [status, text.includes('For all'), text.includes('For testers')];
    });
  };
  const [shown, hidden] = [Array(7).fill([200, true, true]), Array(7).fill([200, true, false])];
  expect(await bodies(admin)).toEqual(shown);
  expect(await bodies(await site.visitor({ isBeta: true }))).toEqual(shown);
  expect(await bodies(await site.visitor({ isBeta: 'no' }))).toEqual(hidden);
  expect(await bodies(outsider)).toEqual(hidden);
  const found = async (client: Client, query: string) =>
    (await client.get(`${at}/search?query=${query}`)).body.items.flatMap(
      ({ sections }: { sections: { body: string }[] }) => sections.map(({ body }) => body.includes('testers')),
    );
  const [tester, other] = [await site.visitor({ isBeta: true }), await site.visitor()];
  expect([await found(tester, 'testers'), await found(tester, 'all')]).toEqual([[true], [true]]);
  expect([await found(other, 'testers'), await found(other, 'all')]).toEqual([[], [false]]);
  expect([await found(outsider, 'testers'), await found(admin, 'testers')]).toEqual([[], [true]]);
});

test('a page with a block that has a condition is found by its title with that of its parent, and by two forms of a word', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Found');
  const markdown = `Always.\n\n{% if ${BETA} %}\nFor testers.\n{% endif %}`;
  const changes = [
    { insertPage: { title: 'Lighthouse', ref: 'parent' } },
    { insertPage: { title: 'Installing', parentId: 'parent', document: { markdown } } },
  ];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  const site = await adaptiveSite('Found', [spaceId]);
  const found = async (client: Client, query: string) =>
    (await client.get(`/v1/spaces/${spaceId}/search?query=${query}`)).body.items.map(
      ({ title }: { title: string }) => title,
    );
  for (const client of [await site.visitor(), anonymous, admin]) {
    expect(await found(client, 'lighthouse+installing')).toEqual(['Installing']);
    expect(await found(client, 'installing+installs')).toEqual(['Installing']);
  }
  expect(await found(anonymous, 'lighthouse+testers')).toEqual([]);
});

test('the home page is the first page that the reader sees', async () => {
  const { body } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Homes', empty: true });
  await insert(body.id, [
    { title: 'For testers', condition: BETA, document: {} },
    { title: 'For all', document: {} },
  ]);
  const site = await adaptiveSite('Homes', [body.id]);
  const home = async (client: Client) => (await client.get(`/v1/spaces/${body.id}/content/path/%2F`)).body.title;
  expect(await home(await site.visitor({ isBeta: true }))).toBe('For testers');
  expect(await home(await site.visitor())).toBe('For all');
});

test('links to PDFs name what the reader sees', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Printed');
  await insert(spaceId, [{ title: 'Hidden page', condition: BETA, document: { markdown: 'x' } }]);
  const site = await adaptiveSite('Printed', [spaceId]);
  const { pages } = (await admin.get(`/v1/spaces/${spaceId}/content/pages`)).body;
  const hidden = pages.find(({ title }: { title: string }) => title === 'Hidden page').id;
  const linkFor = async (client: Client) => new URL((await client.get(`/v1/spaces/${spaceId}/pdf`)).body.url);
  expect((await linkFor(admin)).searchParams.get('reader')).toBeNull();
  const link = await linkFor(await site.visitor({ isBeta: false }));
  // Links are shared and logged: claims are not readable in them.
  expect(Buffer.from(link.searchParams.get('reader') ?? '', 'base64url').toString()).not.toContain('isBeta');
  expect(decodeURIComponent(link.href)).not.toContain('isBeta');
  const open = async ({ pathname, search }: URL) => (await anonymous.get(`${pathname}${search}`)).status;
  expect(await open(link)).toBe(200);
  const other = (await linkFor(await site.visitor({ isBeta: true }))).searchParams.get('reader') ?? '';
  for (const reader of [other, JSON.stringify({ isBeta: true }), '']) {
    const changed = new URL(link);
    changed.searchParams.set('reader', reader);
    expect(await open(changed)).toBe(404);
  }
  link.searchParams.delete('reader');
  expect(await open(link)).toBe(404);
  const visitor = await site.visitor({ isBeta: false });
  expect((await visitor.get(`/v1/spaces/${spaceId}/pdf?page=${hidden}`)).status).toBe(400);
});

test('entity tags of visitors with other claims differ', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Tagged');
  const site = await adaptiveSite('Tagged', [spaceId]);
  const { revision } = (await admin.get(`/v1/spaces/${spaceId}`)).body;
  const path = `/v1/spaces/${spaceId}/revisions/${revision}?metadata=false&computed=false`;
  const [one, other] = [await site.visitor({ isBeta: true }), await site.visitor({ isBeta: false })];
  const { headers } = await one.get(path);
  expect(headers.get('cache-control')).toBe('private, no-cache');
  const etag = headers.get('etag') ?? '';
  expect((await one.send('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304);
  expect((await other.send('GET', path, undefined, { 'if-none-match': etag })).status).toBe(200);
});

test('entity tags change with what the reader sees', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Retagged');
  const change = (...changes: object[]) => admin.post(`/v1/spaces/${spaceId}/content`, { changes });
  const markdown = '{% if space.vars.isOut %}\nReleased\n{% endif %}\n\n{% if false %}\nDraft\n{% endif %}\n';
  await change(
    { operation: 'insert_page', title: 'Conditional', document: { markdown } },
    { operation: 'insert_page', title: 'Internal', condition: 'false', document: { markdown: 'x' } },
  );
  await adaptiveSite('Retagged', [spaceId]);
  const page = (await admin.get(`/v1/spaces/${spaceId}/content/path/conditional`)).body;
  const paths = [`/v1/spaces/${spaceId}/documents/${page.documentId}`, `/v1/spaces/${spaceId}/content`];
  const tags = ['', ''];
  /** What each response shows, and 304 where it has the tag of the one before. */
  const read = () =>
    Promise.all(
      paths.map(async (path, index) => {
        const { status, body, headers } = await guest.send('GET', path, undefined, {
          'if-none-match': tags[index] ?? '',
        });
        tags[index] = headers.get('etag') ?? '';
        return status === 200
          ? ['Released', 'Draft', 'Internal'].filter((text) => JSON.stringify(body).includes(text))
          : status;
      }),
    );
  expect(await read()).toEqual([[], []]);
  expect(await read()).toEqual([304, 304]);
  await change({ operation: 'set_variables', variables: { isOut: true } });
  expect(await read()).toEqual([['Released'], []]);
  expect(await read()).toEqual([304, 304]);
  await grant(spaceId, guest.userId, 'read');
  expect(await read()).toEqual([['Released', 'Draft'], ['Internal']]);
  expect(await read()).toEqual([304, 304]);
});

test('rejects conditions that do not parse', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Faults');
  const { path } = await siteWith(admin, organizationId, { spaces: [spaceId] });
  const [item] = (await admin.get(`${path}/site-spaces`)).body.items;
  for (const condition of ['visitor.claims.', 'a = b', 'fetch("x")', 'x'.repeat(1_025), '('.repeat(100)]) {
    expect((await admin.patch(`${path}/site-spaces/${item.id}`, { condition })).status).toBe(400);
    expect((await insert(spaceId, [{ title: 'Page', condition }])).status).toBe(400);
  }
});

test('reads the visitor of a request to a site', () => {
  const scoped = (basePath: string, token: string) =>
    `gitbook-visitor-token~${basePath.length}=${encodeURIComponent(JSON.stringify({ basePath, token }))}`;
  const cookies = [
    scoped('/docs', 'outer'),
    scoped('/docs/api', 'inner'),
    scoped('/other', 'foreign'),
    'gitbook-visitor-token=plain',
  ];
  const tokenOf = (path: string, headers: { cookie?: string; authorization?: string } = {}) => {
    const { jwtToken, tokenFrom } = visitorOfRequest({ url: path, ...headers });
    return [jwtToken, tokenFrom];
  };
  const cookie = cookies.join('; ');
  expect(tokenOf('/docs/x?jwt_token=q', { cookie, authorization: 'Bearer h' })).toEqual(['h', 'header']);
  expect(tokenOf('/docs/x?jwt_token=q', { cookie })).toEqual(['q', 'query']);
  expect(tokenOf('/docs/x?access_token=a&jwt_token=q', { cookie })).toEqual(['a', 'query']);
  expect(tokenOf('/docs/api/page', { cookie })).toEqual(['inner', 'cookie']);
  expect(tokenOf('/docs/apis', { cookie })).toEqual(['outer', 'cookie']);
  expect(tokenOf('/elsewhere', { cookie })).toEqual(['plain', 'cookie']);
  expect(tokenOf('/docs', { cookie: 'gitbook-visitor-token~x=%7Bbroken; a' })).toEqual([undefined, undefined]);
  const claimsOf = (path: string, given = '') => visitorOfRequest({ url: path, cookie: given }).unsignedClaims;
  expect(claimsOf('/?visitor.a.b=true&visitor.n=4.5&visitor.s=&visitor.z=null&other=1')).toEqual({
    a: { b: true },
    n: 4.5,
    s: '',
    z: null,
  });
  const stored = `gitbook-visitor-public=${encodeURIComponent('{"plan":"free","x":1}')}; gitbook-visitor-public-2=${encodeURIComponent('{"y":[1]}')}; gitbook-visitor-publicx=[`;
  expect(claimsOf('/?visitor.plan=pro', stored)).toEqual({ plan: 'pro', x: 1, y: [1] });
  expect(claimsOf('/?visitor.__proto__.polluted=1&visitor.a.__proto__=2')).toBeTypeOf('object');
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(claimsOf(`/?visitor.${'a.'.repeat(2_000)}b=1`)).toEqual({});
  expect(claimsOf(`/?visitor.long=${'x'.repeat(3_000)}`)).toEqual({});
});

test('many claims in a query string are read at once', () => {
  const query = Array.from({ length: 1_500 }, (_, index) => `visitor.a.b${index}=`).join('&');
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    visitorOfRequest({ url: `/?${query}` });
    return performance.now() - start;
  });
  // Copying what is there for each parameter takes ten times as long.
  expect(Math.min(...times)).toBeLessThan(25);
});

test('claims that are not an object, too large or too deep count as none', async () => {
  const spaceId = await spaceTitled(admin, organizationId, 'Claims');
  const { id } = await adaptiveSite('Claims', [spaceId]);
  let deep: unknown = 1;
  for (let depth = 0; depth < 5_000; depth++) deep = { deep };
  for (const unsignedClaims of ['text', 5, null, [1], { long: 'x'.repeat(3_000) }, deep]) {
    const admission = await admitVisitor({ services }, id, { unsignedClaims });
    expect('visit' in admission && admission.visit.claims).toEqual({ unsigned: {} });
  }
});
