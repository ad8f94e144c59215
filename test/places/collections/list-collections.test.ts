import { expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { app, organizationId, grant, ...people } = await world();
const { admin, reader, guest, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

const collections: Record<string, string> = {};
for (const [title, { under, role }] of Object.entries<{ under?: string; role?: 'none' | 'read' }>({
  first: {},
  second: {},
  inside: { under: 'first' },
  secret: { under: 'first', role: 'none' },
  deep: { under: 'secret', role: 'read' },
})) {
  const id = await content.collection({ role: role ?? null, ...(under && { parentId: collections[under] ?? '' }) });
  await db.updateTable('collection').set({ title }).where('id', '=', id).execute();
  collections[title] = id;
}
await grant(collections.deep ?? '', guest.userId, 'read');

// biome-ignore lint/suspicious/noExplicitAny: items as they came.
const titlesOf = (items: any[]) => items.map(({ title }) => title);
const path = `/v1/orgs/${organizationId}/collections`;
const query = `query($id: ID!, $nested: Boolean) { organization(id: $id) {
  collections(nested: $nested) { totalCount nodes { title } }
} }`;

test.each([
  ['admin', undefined, ['deep', 'secret', 'inside', 'second', 'first']],
  ['admin', true, ['deep', 'secret', 'inside', 'second', 'first']],
  ['admin', false, ['first', 'second']],
  ['reader', undefined, ['deep', 'inside', 'second', 'first']],
  ['reader', false, ['first', 'second']],
  ['guest', undefined, ['deep']],
  ['guest', false, []],
] as const)('lists for the %s with nested: %s', async (name, nested, titles) => {
  const { status, body } = await people[name].get(nested === undefined ? path : `${path}?nested=${nested}`);
  expect(status).toBe(200);
  expectShape('listCollectionsInOrganizationById', 200, body);
  expect([titlesOf(body.items), body.count]).toEqual([titles, titles.length]);
  const { organization } = await people[name].graphql(query, { id: organizationId, nested });
  expect([titlesOf(organization.collections.nodes), organization.collections.totalCount]).toEqual([
    titles,
    titles.length,
  ]);
});

test('lists the direct children of a collection by position', async () => {
  const id = collections.first ?? '';
  const { body } = await admin.get(`/v1/collections/${id}/collections`);
  expect(titlesOf(body.items)).toEqual(['inside', 'secret']);
  const nodes = 'query($id: ID!) { collection(id: $id) { collections { nodes { title parent { title } } } } }';
  expect((await admin.graphql(nodes, { id })).collection.collections.nodes).toEqual(
    ['inside', 'secret'].map((title) => ({ title, parent: { title: 'first' } })),
  );
  expect(titlesOf((await reader.get(`/v1/collections/${id}/collections`)).body.items)).toEqual(['inside']);
});

test('pages through the top level by position', async () => {
  const first = await reader.get(`${path}?nested=false&limit=1`);
  const second = await reader.get(`${path}?nested=false&limit=1&page=${first.body.next.page}`);
  expect([first, second].map(({ body }) => titlesOf(body.items))).toEqual([['first'], ['second']]);
  expect(second.body).not.toHaveProperty('next');
  expect((await reader.get(`${path}?limit=1&page=${first.body.next.page}`)).status).toBe(400);
  expect((await reader.get(`${path}?nested=maybe`)).status).toBe(400);
});

test('hides a parent that the viewer cannot see', async () => {
  const id = collections.deep ?? '';
  expect((await guest.get(`/v1/collections/${id}`)).body).not.toHaveProperty('parent');
  const parent = 'query($id: ID!) { collection(id: $id) { title parent { title } } }';
  expect((await reader.graphql(parent, { id })).collection).toEqual({ title: 'deep', parent: null });
  expect((await admin.graphql(parent, { id })).collection).toEqual({ title: 'deep', parent: { title: 'secret' } });
});

test('is NOT_FOUND for outsiders, and UNAUTHENTICATED without a token', async () => {
  const { first = '', secret = '' } = collections;
  for (const [client, id] of [
    [outsider, first],
    [guest, first],
    [reader, secret],
    [reader, 'collection_01h455vb4pex5vsknk084sn02q'],
  ] as const) {
    expect((await client.get(`/v1/collections/${id}`)).status).toBe(404);
    expect((await client.get(`/v1/collections/${id}/collections`)).status).toBe(404);
    const found = await client.graphql('query($id: ID!) { collection(id: $id) { id } node(id: $id) { id } }', { id });
    expect(found).toEqual({ collection: null, node: null });
  }
  expect((await anonymous.get(`/v1/collections/${first}`)).status).toBe(401);
  expect((await anonymous.get(path)).status).toBe(401);
  expect((await outsider.get(path)).status).toBe(404);
});

test('reads twenty collections with spaces, parents and permissions in as many statements as one', async () => {
  const parentId = await content.collection();
  const add = async () => content.space({ parentId: await content.collection({ parentId }) });
  const nested = `query($id: ID!) { collection(id: $id) { collections(first: 50) { totalCount nodes {
    title parent { title } organization { title } permissions { create } spaces(first: 5) { totalCount nodes { title permissions { view } } }
  } } } }`;
  await add();
  const one = await reader.graphqlRaw(nested, { id: parentId });
  for (let count = 1; count < 20; count++) await add();
  const twenty = await reader.graphqlRaw(nested, { id: parentId });
  expect(twenty.body.data.collection.collections.totalCount).toBe(20);
  expect(twenty.body.data.collection.collections.nodes[19]).toEqual(one.body.data.collection.collections.nodes[0]);
  expect(statementsOf(twenty)).toBe(statementsOf(one));
});
