import { expect, test } from 'vitest';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { app, organizationId, grant, ...people } = await world();
const { admin, reader, guest, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

const titled = (id: string, title: string) => db.updateTable('space').set({ title }).where('id', '=', id).execute();

const collection = await content.collection();
const hiddenCollection = await content.collection({ role: 'none' });
const spaces: Record<string, string> = {};
for (const [title, place] of Object.entries({
  first: {},
  inside: { parentId: collection },
  alsoInside: { parentId: collection },
  secret: { parentId: collection, role: 'none' as const },
  buried: { parentId: hiddenCollection },
  deleted: {},
})) {
  spaces[title] = await content.space(place);
  await titled(spaces[title], title);
}
await db
  .updateTable('space')
  .set({ deletedAt: new Date().toISOString() })
  .where('id', '=', spaces.deleted ?? '')
  .execute();
await grant(spaces.inside ?? '', guest.userId, 'read');

// biome-ignore lint/suspicious/noExplicitAny: items as they came.
const titlesOf = (items: any[]) => items.map(({ title }) => title);

const ofOrganization = 'query($id: ID!) { organization(id: $id) { spaces { totalCount nodes { title } } } }';

test.each([
  ['admin', ['buried', 'secret', 'alsoInside', 'inside', 'first']],
  ['reader', ['alsoInside', 'inside', 'first']],
  ['guest', ['inside']],
] as const)('lists what the %s may see, newest first, without deleted ones', async (name, titles) => {
  const client = people[name];
  const { status, body } = await client.get(`/v1/orgs/${organizationId}/spaces`);
  expect(status).toBe(200);
  expectShape('listSpacesInOrganizationById', 200, body);
  expect(titlesOf(body.items)).toEqual(titles);
  expect(body.count).toBe(titles.length);
  const { organization } = await client.graphql(ofOrganization, { id: organizationId });
  expect(titlesOf(organization.spaces.nodes)).toEqual(titles);
  expect(organization.spaces.totalCount).toBe(titles.length);
});

test('is refused for outsiders and without a token', async () => {
  expect((await outsider.get(`/v1/orgs/${organizationId}/spaces`)).status).toBe(404);
  expect((await anonymous.get(`/v1/orgs/${organizationId}/spaces`)).status).toBe(401);
  expect((await outsider.get(`/v1/collections/${collection}/spaces`)).status).toBe(404);
  expect((await anonymous.get(`/v1/collections/${collection}/spaces`)).status).toBe(401);
  expect((await reader.get(`/v1/collections/${hiddenCollection}/spaces`)).status).toBe(404);
  expect((await guest.get(`/v1/collections/${collection}/spaces`)).status).toBe(404);
});

test('pages through an organization by both transports', async () => {
  const query =
    'query($id: ID!, $after: String) { organization(id: $id) { spaces(first: 2, after: $after) { nodes { title } pageInfo { hasNextPage endCursor } } } }';
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { organization } = await admin.graphql(query, { id: organizationId, after });
    seen.push(...titlesOf(organization.spaces.nodes));
    after = organization.spaces.pageInfo.hasNextPage ? organization.spaces.pageInfo.endCursor : null;
  } while (after !== null);
  expect(seen).toEqual(['buried', 'secret', 'alsoInside', 'inside', 'first']);
  const first = await admin.get(`/v1/orgs/${organizationId}/spaces?limit=3`);
  const second = await admin.get(`/v1/orgs/${organizationId}/spaces?limit=3&page=${first.body.next.page}`);
  expect([...titlesOf(first.body.items), ...titlesOf(second.body.items)]).toEqual(seen);
  expect(second.body).not.toHaveProperty('next');
  const foreign = await admin.get(`/v1/collections/${collection}/spaces?page=${first.body.next.page}`);
  expect(foreign.status).toBe(400);
});

test('lists and paginates the direct spaces of a collection by position', async () => {
  const path = `/v1/collections/${collection}/spaces`;
  const { body } = await reader.get(path);
  expectShape('listSpacesInCollectionById', 200, body);
  expect(titlesOf(body.items)).toEqual(['inside', 'alsoInside']);
  expect(body.count).toBe(2);
  const first = await admin.get(`${path}?limit=2`);
  const second = await admin.get(`${path}?limit=2&page=${first.body.next.page}`);
  expect([first, second].map((page) => titlesOf(page.body.items))).toEqual([['inside', 'alsoInside'], ['secret']]);
  const query = `query($id: ID!) { collection(id: $id) {
    spaces(last: 2) { totalCount nodes { title parent { id } } pageInfo { hasPreviousPage } }
  } }`;
  const found = (await admin.graphql(query, { id: collection })).collection.spaces;
  expect(found).toEqual({
    totalCount: 3,
    nodes: ['alsoInside', 'secret'].map((title) => ({ title, parent: { id: collection } })),
    pageInfo: { hasPreviousPage: true },
  });
});
