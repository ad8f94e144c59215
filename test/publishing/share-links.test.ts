import { expect, test } from 'vitest';
import { newId } from '../../src/platform/ids/ids.ts';
import { world } from '../world.ts';
import { siteWith, spaceTitled } from './arrange.ts';
import { show } from './reader-world.ts';
import { refusalTo, visitorOf } from './visiting.ts';

const { app, url, admin, creator, editor, reader, outsider, anonymous, organizationId } = await world();

async function sharedSite(title: string) {
  const spaceId = await spaceTitled(admin, organizationId, title);
  const site = await siteWith(admin, organizationId, { title, visibility: 'share-link', spaces: [spaceId] });
  await admin.post(`${site.path}/publish`);
  return { ...site, spaceId, links: `${site.path}/share-links` };
}

const keyIn = (link: { urls: { published: string } }) => link.urls.published.split('/').at(-2) ?? '';

test('creates, renames, deactivates and revokes links, and both transports show them', async () => {
  const { id, links } = await sharedSite('Links');
  const { status, headers, body } = await admin.restAs('createSiteShareLink', 'POST', links, { name: 'Press' }, BEYOND);
  expect([status, body.name, body.active]).toEqual([201, 'Press', true]);
  expect(headers.get('location')).toMatch(new RegExp(`${links}/${body.id}$`));
  expect(keyIn(body)).toMatch(/^[\w-]{22}$/);
  const { shareLink } = await admin.mutate(
    'createShareLink',
    { siteId: id, name: 'Partners' },
    'shareLink { id name active key site { id } urls { published } }',
  );
  expect(shareLink).toMatchObject({ name: 'Partners', active: true, site: { id } });
  expect(keyIn(shareLink)).toBe(shareLink.key);
  const listed = await admin.restAs('listSiteShareLinks', 'GET', links, undefined, BEYOND);
  expect(listed.body).toMatchObject({ count: 2, items: [{ id: shareLink.id, name: 'Partners' }, { id: body.id }] });
  expect((await admin.get(`${links}?search=PRE`)).body.items).toMatchObject([{ id: body.id }]);
  const changed = await admin.restAs(
    'updateSiteShareLinkById',
    'PATCH',
    `${links}/${body.id}`,
    { name: '', active: false },
    BEYOND,
  );
  expect(changed.body).toMatchObject({ name: '', active: false, urls: body.urls });
  const { site } = await admin.graphql(
    'query ($id: ID!) { site(id: $id) { shareLinks(first: 5) { totalCount nodes { id name active } } } }',
    { id },
  );
  expect(site.shareLinks).toEqual({
    totalCount: 2,
    nodes: [
      { id: shareLink.id, name: 'Partners', active: true },
      { id: body.id, name: '', active: false },
    ],
  });
  expect((await admin.get(`${links}/${body.id}`)).body).toEqual(changed.body);
  expect(await admin.mutate('revokeShareLink', { shareLinkId: shareLink.id }, 'deletedId site { id }')).toEqual({
    deletedId: shareLink.id,
    site: { id },
  });
  expect((await admin.delete(`${links}/${body.id}`)).status).toBe(204);
  expect((await admin.delete(`${links}/${body.id}`)).status).toBe(204);
  expect((await admin.get(links)).body).toMatchObject({ count: 0, items: [] });
});

const BEYOND = { beyond: true };

test('only admins of the site see and change its links', async () => {
  const { id, links } = await sharedSite('Guarded');
  const { body } = await admin.post(links, { name: 'Mine' });
  for (const client of [editor, reader]) {
    expect((await client.get(links)).status).toBe(403);
    expect((await client.post(links, { name: 'Theirs' })).status).toBe(403);
    expect((await client.patch(`${links}/${body.id}`, { active: false })).status).toBe(403);
    expect((await client.delete(`${links}/${body.id}`)).status).toBe(403);
    const { body: raw } = await client.graphqlRaw(
      'query ($id: ID!) { site(id: $id) { shareLinks { nodes { id } } } }',
      {
        id,
      },
    );
    expect([raw.data.site.shareLinks, raw.errors[0].extensions.code]).toEqual([null, 'FORBIDDEN']);
    expect(await client.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: body.id })).toEqual({ node: null });
  }
  expect((await outsider.get(links)).status).toBe(404);
  expect((await outsider.delete(`${links}/${body.id}`)).status).toBe(404);
  expect((await anonymous.get(links)).status).toBe(401);
  expect(await outsider.mutate('revokeShareLink', { shareLinkId: body.id }, 'deletedId')).toEqual({ deletedId: null });
  await expect(
    outsider.mutate('updateShareLink', { shareLinkId: body.id, name: 'x' }, 'shareLink { id }'),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('rejects links of other sites and bad settings', async () => {
  const [one, other] = [await sharedSite('One'), await sharedSite('Other')];
  const { body } = await admin.post(one.links, { name: 'One' });
  expect((await admin.patch(`${other.links}/${body.id}`, { active: false })).status).toBe(404);
  expect((await admin.get(`${other.links}/${body.id}`)).status).toBe(404);
  expect((await admin.delete(`${other.links}/${body.id}`)).status).toBe(204);
  expect((await admin.get(`${one.links}/${body.id}`)).status).toBe(200);
  expect((await admin.patch(`${one.links}/${newId('sharelink')}`, { name: 'x' })).status).toBe(404);
  expect((await admin.post(one.links, {})).status).toBe(400);
  expect((await admin.post(one.links, { name: 'x'.repeat(51) })).status).toBe(400);
  expect((await admin.patch(`${one.links}/${body.id}`, {})).status).toBe(400);
  expect((await admin.patch(`${one.links}/${body.id}`, { active: 'no' })).status).toBe(400);
});

test('a key admits to all reads that take it, and to what they lead to', async () => {
  const { id, path, links, spaceId } = await sharedSite('Shared');
  const key = keyIn((await admin.post(links, { name: '' })).body);
  for (const read of ['/published', '/site-spaces', '/sections', '/section-groups', '/structure', '']) {
    expect([read, (await anonymous.get(`${path}${read}`)).status]).toEqual([read, 401]);
    expect([read, (await outsider.get(`${path}${read}`)).status]).toEqual([read, 404]);
    for (const client of [anonymous, outsider]) {
      expect([read, (await client.get(`${path}${read}?shareKey=${key}`)).status]).toEqual([read, 200]);
      expect([read, (await client.get(`${path}${read}?shareKey=${key}x`)).status]).toEqual([read, 404]);
    }
  }
  const { body } = await anonymous.get(`${path}/published?shareKey=${key}`);
  expect(body.structure.structure[0].space.id).toBe(spaceId);
  expect((await anonymous.get(`/v1/spaces/${spaceId}?shareKey=${key}`)).body.visibility).toBe('share-link');
  expect((await anonymous.get(`/v1/spaces/${spaceId}?shareKey=wrong`)).status).toBe(404);
  const document = `query ($id: ID!, $space: ID!, $key: String) {
    site(id: $id, shareKey: $key) { siteSpaces(first: 5) { nodes { space { id revision { id } } } } }
    space(id: $space, shareKey: $key) { id } }`;
  const seen = await outsider.graphql(document, { id, space: spaceId, key });
  expect(seen.site.siteSpaces.nodes[0].space.id).toBe(spaceId);
  expect(seen.space).toEqual({ id: spaceId });
  const written = `query { node(id: "${spaceId}") { id } site(id: "${id}", shareKey: "${key}") { id } }`;
  expect(await outsider.graphql(written)).toEqual({ node: { id: spaceId }, site: { id } });
  expect(await outsider.graphql(document, { id, space: spaceId, key: 'wrong' })).toEqual({ site: null, space: null });
  expect((await outsider.get(`/v1/spaces/${spaceId}`)).status).toBe(404);
});

test('URLs that visitors with a key read contain it, and work for them', async () => {
  const { id, path, links, spaceId } = await sharedSite('Linked');
  const second = await spaceTitled(admin, organizationId, 'Second');
  await admin.post(`${path}/sections`, { spaceId: second, title: 'More' });
  const [, other] = (await admin.get(`${path}/site-spaces`)).body.items;
  const redirect = { source: '/old', destination: { kind: 'site-space', siteSpaceId: other.id } };
  expect((await admin.post(`${path}/redirects`, redirect)).status).toBe(201);
  const link = (await admin.post(links, { name: '' })).body;
  const key = keyIn(link);
  const base = link.urls.published;
  const urlsSeenBy = async (client: typeof admin, query: string) => {
    const read = async (at: string) => (await client.get(`${at}${at.includes('?') ? '&' : '?'}${query}`)).body;
    const { site, structure } = await read(`${path}/published`);
    const siteSpaces = (await read(`${path}/site-spaces`)).items;
    return [
      site.urls.published,
      structure.structure[1].urls.published,
      siteSpaces[1].urls.published,
      (await read(`/v1/spaces/${second}`)).urls.published,
      (await read(`${path}/redirect?source=/old`)).target,
    ];
  };
  const keyed = [base, ...Array(4).fill(`${base}more/`)];
  expect(await urlsSeenBy(anonymous, `shareKey=${key}`)).toEqual(keyed);
  expect(await urlsSeenBy(await visitorOf(app, url, id, { shareKey: key }), '')).toEqual(keyed);
  expect(await urlsSeenBy(admin, '')).toEqual(keyed.map((shown) => shown.replace(`/${key}`, '')));
  const at = new URL(base).pathname;
  const { status, headers } = await show(`${url}${at}old`);
  expect([status, headers.get('location')]).toEqual([307, `${at}more/`]);
  const one = (await admin.post(links, { name: 'One' })).body;
  const document = `{ site(id: "${id}", shareKey: "${key}") { urls { published } shareLinks { nodes { urls { published } } } } }`;
  const { site } = await admin.graphql(document);
  expect([site.urls.published, site.shareLinks.nodes.map(({ urls }: typeof one) => urls.published).sort()]).toEqual([
    base,
    [base, one.urls.published].sort(),
  ]);
  await admin.patch(path, { visibility: 'public' });
  expect(await urlsSeenBy(anonymous, `shareKey=${key}`)).toEqual(keyed.map((shown) => shown.replace(`/${key}`, '')));
  expect((await anonymous.get(`/v1/spaces/${spaceId}?shareKey=${key}`)).body.urls.published).not.toContain(key);
});

test('search and redirects of a public site take no wrong key either', async () => {
  const { path, links } = await sharedSite('Keyed');
  const key = keyIn((await admin.post(links, { name: '' })).body);
  const redirect = { source: '/old', destination: { kind: 'external', url: 'https://acme.com/' } };
  expect((await admin.post(`${path}/redirects`, redirect)).status).toBe(201);
  for (const visibility of ['share-link', 'public']) {
    await admin.patch(path, { visibility });
    for (const [method, read, body] of [
      ['POST', '/search?', { query: 'Keyed' }],
      ['GET', '/redirect?source=/old', undefined],
    ] as const) {
      const statusWith = async (shareKey: string, client = outsider) =>
        (await client.send(method, `${path}${read}&shareKey=${shareKey}`, body)).status;
      expect([read, await statusWith(key), await statusWith('wrong')]).toEqual([read, 200, 404]);
      expect([read, await statusWith('wrong', admin)]).toEqual([read, 200]);
    }
  }
});

test('a key gives nothing but reading, and nothing of other sites', async () => {
  const [one, other] = [await sharedSite('Mine only'), await sharedSite('Not mine')];
  const key = keyIn((await admin.post(one.links, { name: '' })).body);
  expect((await anonymous.get(`${other.path}?shareKey=${key}`)).status).toBe(404);
  expect((await anonymous.get(`/v1/spaces/${other.spaceId}?shareKey=${key}`)).status).toBe(404);
  expect(await refusalTo(app, other.id, { shareKey: key })).toBe('share-link');
  expect((await outsider.get(`/v1/spaces/${one.spaceId}/comments?shareKey=${key}`)).status).toBe(404);
  expect((await anonymous.get(`/v1/spaces/${one.spaceId}/content/pages?shareKey=${key}`)).status).toBe(401);
  const visitor = await visitorOf(app, url, one.id, { shareKey: key });
  expect((await visitor.get(`/v1/spaces/${one.spaceId}`)).status).toBe(200);
  expect((await visitor.get(`/v1/spaces/${one.spaceId}/content/pages`)).status).toBe(200);
  expect((await visitor.get(`/v1/spaces/${other.spaceId}`)).status).toBe(404);
  expect((await visitor.get(other.path)).status).toBe(404);
  expect((await visitor.get(`/v1/spaces/${one.spaceId}/comments`)).status).toBe(403);
  expect((await visitor.patch(`/v1/spaces/${one.spaceId}`, { title: 'Taken' })).status).toBe(403);
  expect((await visitor.get(`/v1/orgs/${organizationId}`)).status).toBe(403);
  expect((await visitor.get('/v1/user')).status).toBe(403);
  const { body } = await visitor.graphqlRaw('{ viewer { id } }');
  expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
});

test('roles need no key, and a wrong one does not take them away', async () => {
  const { path, spaceId } = await sharedSite('Roles');
  expect((await reader.get(`${path}/published?shareKey=wrong`)).status).toBe(200);
  expect((await reader.get(`/v1/spaces/${spaceId}?shareKey=wrong`)).status).toBe(200);
});

test.each([
  ['deactivated', (its: Shared, link: string) => admin.patch(`${its.links}/${link}`, { active: false })],
  ['revoked', (its: Shared, link: string) => admin.delete(`${its.links}/${link}`)],
  ['of a site that is unpublished', (its: Shared) => admin.post(`${its.path}/unpublish`)],
  ['of a site with another audience', (its: Shared) => admin.patch(its.path, { visibility: 'visitor-auth' })],
] as const)('a link that is %s ends keys and site tokens at the next request', async (_how, end) => {
  const its = await sharedSite('Ending');
  const link = (await admin.post(its.links, { name: '' })).body;
  const key = keyIn(link);
  const visitor = await visitorOf(app, url, its.id, { shareKey: key });
  expect((await visitor.get(`${its.path}/published`)).status).toBe(200);
  expect((await end(its, link.id)).status).toBeLessThan(300);
  expect((await visitor.get(`${its.path}/published`)).status).toBe(404);
  expect((await visitor.get(`/v1/spaces/${its.spaceId}`)).status).toBe(404);
  expect(await visitor.graphql(`{ space(id: "${its.spaceId}") { id } }`)).toEqual({ space: null });
  expect((await anonymous.get(`${its.path}?shareKey=${key}`)).status).toBe(404);
});

type Shared = Awaited<ReturnType<typeof sharedSite>>;

test('a space that is unlinked is gone for visitors at the next request', async () => {
  const its = await sharedSite('Unlinked');
  const second = await spaceTitled(admin, organizationId, 'Second');
  const added = await admin.post(`${its.path}/site-spaces`, { spaceId: second });
  const key = keyIn((await admin.post(its.links, { name: '' })).body);
  const visitor = await visitorOf(app, url, its.id, { shareKey: key });
  expect((await visitor.get(`/v1/spaces/${second}`)).status).toBe(200);
  expect((await admin.delete(`${its.path}/site-spaces/${added.body.id}`)).status).toBe(204);
  expect((await visitor.get(`/v1/spaces/${second}`)).status).toBe(404);
  expect((await visitor.get(`/v1/spaces/${its.spaceId}`)).status).toBe(200);
});

test('keys are encrypted at rest', async () => {
  const { links } = await sharedSite('Encrypted');
  const link = (await admin.post(links, { name: '' })).body;
  const key = keyIn(link);
  const row = await app.services.db
    .selectFrom('share_link')
    .where('id', '=', link.id)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(key);
  expect(Buffer.from(row.key).includes(key)).toBe(false);
});

test('a creator of the site administers its links', async () => {
  const spaceId = await spaceTitled(creator, organizationId, 'Own');
  const { path } = await siteWith(creator, organizationId, { spaces: [spaceId] });
  const link = await creator.post(`${path}/share-links`, { name: 'Own' });
  expect([link.status, link.body.urls]).toEqual([201, {}]);
});
