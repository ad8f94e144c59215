import { expect, test } from 'vitest';
import { newId } from '../../src/platform/ids/ids.ts';
import { statementsOf } from '../client.ts';
import { world } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';

const { app, admin, creator, reader, editor, guest, outsider, anonymous, organizationId, otherOrganizationId, grant } =
  await world();
const sites = `/v1/orgs/${organizationId}/sites`;
const newSpace = (title: string) => spaceTitled(creator, organizationId, title);
const newSite = (settings: Record<string, unknown> = {}) => siteWith(creator, organizationId, settings);

test('creates a site with spaces in order, and both transports show it', async () => {
  const spaces = [await newSpace('Guides'), await newSpace('API')];
  const answer = await creator.restAs(
    'createSite',
    'POST',
    sites,
    { spaces, visibility: 'unlisted' },
    { beyond: true },
  );
  expect([answer.status, answer.body.title, answer.body.basename]).toEqual([201, 'Guides', 'guides']);
  expect(answer.headers.get('location')).toBe(answer.body.urls.location);
  const read = await creator.restAs('getSiteById', 'GET', `${sites}/${answer.body.id}`, undefined, { beyond: true });
  expect(read.body).toEqual(answer.body);
  const { site } = await creator.graphql(
    `query ($id: ID!) { site(id: $id) { title type visibility published siteSpacesCount
      siteSpaces(first: 5) { totalCount nodes { title path default space { id } site { id } } }
      features { key } permissions { admin } organization { id } urls { published } } }`,
    { id: answer.body.id },
  );
  expect(site).toEqual({
    title: 'Guides',
    type: 'BASIC',
    visibility: 'UNLISTED',
    published: false,
    siteSpacesCount: 2,
    siteSpaces: {
      totalCount: 2,
      nodes: [
        { title: 'Guides', path: 'guides', default: true, space: { id: spaces[0] }, site: { id: answer.body.id } },
        { title: 'API', path: 'api', default: false, space: { id: spaces[1] }, site: { id: answer.body.id } },
      ],
    },
    features: [{ key: 'SITES_MULTIVARIANT_SITE' }, { key: 'SITES_UNLISTED_VISIBILITY' }],
    permissions: { admin: true },
    organization: { id: organizationId },
    urls: { published: null },
  });
});

test('titles and basenames have defaults, and basenames are unique in the organization', async () => {
  const spaceId = await newSpace('X');
  const made = [await newSite({ spaces: [spaceId] }), await newSite({ title: 'X Docs' }), await newSite()];
  expect(made.map(({ body }) => [body.title, body.basename])).toEqual([
    ['X Docs', 'x-docs'],
    ['X Docs', 'x-docs-2'],
    ['Docs', 'docs'],
  ]);
  expect((await creator.patch(made[1]?.path ?? '', { basename: 'x-docs' })).status).toBe(409);
});

test('only spaces of the organization that the caller can publish are linked', async () => {
  const foreign = await spaceTitled(outsider, otherOrganizationId, 'Secret');
  for (const id of [foreign, newId('space'), 'nonsense']) {
    const { status, body } = await creator.post(sites, { spaces: [await newSpace('Mine'), id] });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(`spaces.1: Space "${id}"`)]);
  }
  const theirs = await newSpace('Theirs');
  const site = await siteWith(creator, organizationId, { title: 'Shared' });
  await grant(site.id, editor.userId, 'admin');
  expect((await editor.post(`${site.path}/site-spaces`, { spaceId: theirs })).status).toBe(403);
});

test('refuses those who may not create sites', async () => {
  expect((await reader.post(sites, {})).status).toBe(403);
  expect((await outsider.post(sites, {})).status).toBe(404);
  expect((await anonymous.post(sites, {})).status).toBe(401);
  await expect(editor.mutate('createSite', { organizationId }, 'site { id }')).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('lists sites newest first, with filters', async () => {
  const spaceId = await newSpace('Filtered');
  const first = await newSite({ title: 'Alpha 100%', spaces: [spaceId], type: 'premium' });
  const second = await newSite({ title: 'Beta', type: 'ultimate' });
  await creator.post(`${first.path}/publish`);
  const list = async (query: string) => (await creator.get(`${sites}?${query}`)).body;
  const ids = async (query: string) => (await list(query)).items.map(({ id }: { id: string }) => id);
  expect((await ids('limit=2')).slice(0, 2)).toEqual([second.id, first.id]);
  expect(await ids(`space=${spaceId}`)).toEqual([first.id]);
  expect(await ids(`title=${encodeURIComponent('PHA 100%')}`)).toEqual([first.id]);
  expect(await ids('title=_eta')).toEqual([]);
  expect(await ids('published=true')).toEqual([first.id]);
  expect(await ids('type=premium&type=ultimate')).toEqual([second.id, first.id]);
  expect((await creator.get(`${sites}?type=golden`)).status).toBe(400);
  const { organization } = await creator.graphql(
    `query ($id: ID!) { organization(id: $id) { sites(published: true) { nodes { id } } } }`,
    { id: organizationId },
  );
  expect(organization.sites.nodes).toEqual([{ id: first.id }]);
});

test('a default level and grants decide who sees a site', async () => {
  const { id, path } = await newSite({ title: 'Closed' });
  expect((await reader.get(path)).status).toBe(200);
  expect((await creator.patch(path, { defaultLevel: null })).body.defaultLevel).toBeNull();
  const listedBy = async (client: typeof reader) =>
    (await client.get(`${sites}?title=closed`)).body.items.map((item: { id: string }) => item.id);
  expect([(await reader.get(path)).status, await listedBy(reader)]).toEqual([404, []]);
  await grant(id, guest.userId, 'read');
  expect([(await guest.get(path)).status, await listedBy(guest)]).toEqual([200, [id]]);
  expect((await guest.patch(path, { title: 'Mine' })).status).toBe(403);
  expect((await admin.get(path)).status).toBe(200);
});

test('changes every setting, and reads it through the other transport', async () => {
  const { id, path } = await newSite({ title: 'Settings' });
  const settings = {
    title: 'All set',
    icon: { icon: { light: 'https://acme.com/light.png', dark: 'https://acme.com/dark.png' } },
    hostname: 'docs.all-set.com',
    basename: 'v1.0',
    visibility: 'share-link',
    defaultLevel: 'edit',
    adaptiveContent: { enabled: true },
    agentsContext: 'excluded',
    proxy: 'acme.com/docs',
  };
  const { status, body } = await creator.patch(path, settings);
  const target = `${app.services.config.sitesUrl}/${organizationId}/v1.0/`;
  expect([status, body]).toMatchObject([200, { ...settings, proxy: { origin: 'acme.com/docs', target } }]);
  expect(body.features.map((feature: { id: string }) => feature.id)).toEqual([
    'sites-adaptive-content',
    'sites-custom-domain',
    'sites-custom-subdirectory',
    'sites-share-links',
  ]);
  const fields =
    'site { title hostname basename visibility defaultLevel agentsContext adaptiveContent { enabled } proxy { origin } icon { emoji light dark } }';
  const { site } = await creator.mutate('updateSite', { siteId: id, icon: { emoji: '📘' }, proxy: null }, fields);
  expect(site).toEqual({
    title: 'All set',
    hostname: 'docs.all-set.com',
    basename: 'v1.0',
    visibility: 'SHARE_LINK',
    defaultLevel: 'EDIT',
    agentsContext: 'EXCLUDED',
    adaptiveContent: { enabled: true },
    proxy: null,
    icon: { emoji: '📘', light: null, dark: null },
  });
  expect((await creator.get(path)).body.icon).toEqual({ emoji: '📘' });
  expect((await creator.patch(path, { icon: {}, hostname: null })).body).toMatchObject({ icon: {} });
  expect((await creator.patch(path, {})).status).toBe(200);
});

test.each([
  ['title', ['A', ' ', 'x'.repeat(129), null]],
  ['hostname', ['localhost', 'acme.com', 'DOCS.acme.com', 'docs.acme.com.', `${'a'.repeat(64)}.acme.com`, 'a.b.c/d']],
  ['basename', ['', '..', '.', 'a/b', '~gitbook', 'a b', '%2e', 'x'.repeat(101), null]],
  ['proxy', ['acme.com', 'acme.com/', 'https://acme.com/docs', 'a.internal/docs', 'printer.local/x', '10.0.0.1/docs']],
  ['icon', [{ icon: { light: 'https://acme.com/a.png' } }, { icon: 'x' }, { emoji: 'abc' }, 'x']],
  ['visibility', ['private', 'in-collection', null]],
  ['adaptiveContent', [true, {}]],
  ['agentsContext', ['maybe']],
  ['defaultSiteSpace', [newId('sitespace'), 'nonsense']],
  ['defaultSiteSection', [newId('section'), 'nonsense']],
])('refuses wrong values of %s', async (name, values) => {
  const { path, body: before } = await newSite({ title: 'Kept' });
  for (const value of values) {
    const { status, body } = await creator.patch(path, { [name]: value });
    expect([value, status, body.error?.message]).toEqual([value, 400, expect.stringContaining(name)]);
  }
  expect((await creator.get(path)).body).toEqual(before);
});

test('a hostname belongs to one site of an organization, and another organization can claim it until it is verified', async () => {
  const { path } = await newSite({ title: 'First' });
  const second = await newSite({ title: 'Second' });
  const other = await siteWith(outsider, otherOrganizationId, { title: 'Second' });
  expect((await creator.patch(path, { hostname: 'docs.taken.com' })).status).toBe(200);
  expect((await creator.patch(second.path, { hostname: 'docs.taken.com' })).status).toBe(409);
  expect((await outsider.patch(other.path, { hostname: 'docs.taken.com' })).status).toBe(200);
});

test('publishing shows the site and its spaces to everyone, until it is unpublished', async () => {
  const spaceId = await newSpace('Public');
  const { id, path } = await newSite({ title: 'Open', spaces: [spaceId] });
  const space = `/v1/spaces/${spaceId}`;
  expect([(await anonymous.get(path)).status, (await anonymous.get(space)).status]).toEqual([401, 401]);
  const { body } = await creator.restAs('publishSite', 'POST', `${path}/publish`);
  const published = `${app.services.config.sitesUrl}/${organizationId}/open/`;
  expect([body.published, body.urls.published]).toEqual([true, published]);
  expect((await anonymous.get(path)).body).toMatchObject({
    published: true,
    permissions: { view: true, access: false },
  });
  expect((await anonymous.get(space)).body.visibility).toBe('public');
  expect((await outsider.graphql(`{ site(id: "${id}") { published } }`)).site).toEqual({ published: true });
  const shown = await creator.mutate('publishSite', { siteId: id }, 'site { published }');
  expect(shown.site.published).toBe(true);
  expect((await creator.patch(path, { visibility: 'visitor-auth' })).status).toBe(200);
  expect([(await anonymous.get(path)).status, (await anonymous.get(space)).status]).toEqual([401, 401]);
  expect((await creator.patch(path, { visibility: 'public' })).status).toBe(200);
  expect((await anonymous.get(space)).status).toBe(200);
  await creator.restAs('unpublishSite', 'POST', `${path}/unpublish`);
  expect([(await anonymous.get(path)).status, (await anonymous.get(space)).status]).toEqual([401, 401]);
});

test('a site without a space cannot be published, and settings need an admin of the site', async () => {
  const { id, path } = await newSite({ title: 'Empty' });
  expect((await creator.post(`${path}/publish`)).status).toBe(400);
  await grant(id, editor.userId, 'create');
  for (const [method, at, body] of [
    ['PATCH', path, { title: 'New' }],
    ['POST', `${path}/publish`, {}],
    ['POST', `${path}/unpublish`, {}],
    ['DELETE', path, undefined],
  ] as const) {
    expect([method, at, (await editor.send(method, at, body)).status]).toEqual([method, at, 403]);
    expect((await outsider.send(method, at, body)).status).toBe(404);
  }
});

test('a site is only found in its own organization', async () => {
  const { id } = await newSite({ title: 'Here' });
  const elsewhere = `/v1/orgs/${otherOrganizationId}/sites/${id}`;
  expect((await creator.get(elsewhere)).status).toBe(404);
  expect((await creator.patch(elsewhere, { title: 'There' })).status).toBe(404);
});

test('deletes a site with its structure, and keeps the spaces', async () => {
  const spaceId = await newSpace('Kept');
  const { id, path } = await newSite({ spaces: [spaceId] });
  await creator.post(`${path}/sections`, { spaceId });
  await admin.patch(`/v1/orgs/${organizationId}`, { defaultContent: { type: 'site', site: id } });
  const deletion = 'deletedId organization { id }';
  expect(await creator.mutate('deleteSite', { siteId: id }, deletion)).toEqual({
    deletedId: id,
    organization: { id: organizationId },
  });
  expect(await creator.mutate('deleteSite', { siteId: id }, deletion)).toEqual({ deletedId: null, organization: null });
  expect((await creator.get(path)).status).toBe(404);
  expect((await creator.delete(path)).status).toBe(204);
  expect((await creator.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await admin.get(`/v1/orgs/${organizationId}`)).body.defaultContent).toBeUndefined();
  for (const table of ['site_space', 'site_item'] as const)
    expect(await app.services.db.selectFrom(table).where('siteId', '=', id).selectAll().execute()).toEqual([]);
});

test('settings honor If-Match', async () => {
  const { path } = await newSite({ title: 'Versioned' });
  const etag = (await creator.get(path)).headers.get('etag') ?? '';
  const change = (title: string) => creator.send('PATCH', path, { title }, { 'if-match': etag });
  expect([(await change('One')).status, (await change('Two')).status]).toEqual([200, 412]);
});

test('a list costs as many statements for many sites as for one', async () => {
  for (let count = 0; count < 5; count++) await newSite({ spaces: [await newSpace('One of many')] });
  const [few, many] = [await creator.get(`${sites}?limit=1`), await creator.get(`${sites}?limit=5`)];
  expect(many.body.items).toHaveLength(5);
  expect(statementsOf(many)).toBe(statementsOf(few));
});

test('spaces have URLs on published sites, of several those of the widest audience', async () => {
  const [first, second] = [
    await spaceTitled(creator, organizationId, 'Manual'),
    await spaceTitled(creator, organizationId, 'Reference'),
  ];
  const urlsOf = async (id: string, client = creator) => (await client.get(`/v1/spaces/${id}`)).body.urls;
  const site = await siteWith(creator, organizationId, {
    title: 'Manuals',
    spaces: [first, second],
    visibility: 'unlisted',
  });
  expect(await urlsOf(second)).not.toHaveProperty('published');
  await creator.post(`${site.path}/publish`);
  const base = (await creator.get(site.path)).body.urls.published;
  expect((await urlsOf(first)).published).toBe(base);
  expect(await urlsOf(second, anonymous)).toMatchObject({ published: `${base}reference/` });
  expect(await urlsOf(second)).not.toHaveProperty('public');
  const open = await siteWith(creator, organizationId, { title: 'Open', spaces: [second] });
  await creator.post(`${open.path}/publish`);
  const url = (await creator.get(open.path)).body.urls.published;
  expect(await urlsOf(second)).toMatchObject({ published: url, public: url });
  const data = await creator.graphql('query ($id: ID!) { space(id: $id) { urls { published public } } }', {
    id: second,
  });
  expect(data.space.urls).toEqual({ published: url, public: url });
});
