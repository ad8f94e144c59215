import { expect, test } from 'vitest';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { app, organizationId, otherOrganizationId, grant, ...people } = await world();
const { admin, creator, reviewer, guest, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);
const path = `/v1/orgs/${organizationId}/collections`;

test('creates a collection with the caller as its admin', async () => {
  const { collection } = await creator.mutate(
    'createCollection',
    { organizationId, title: 'Guides', description: 'For everybody' },
    `collection { id title description createdAt defaultLevel organization { id } parent { id }
      urls { location app } permissions { view create admin viewInviteLinks } spaces { totalCount } collections { totalCount } }`,
  );
  expect(collection).toMatchObject({
    title: 'Guides',
    description: 'For everybody',
    defaultLevel: 'INHERIT',
    organization: { id: organizationId },
    parent: null,
    permissions: { view: true, create: true, admin: true, viewInviteLinks: true },
    spaces: { totalCount: 0 },
    collections: { totalCount: 0 },
  });
  const { status, body } = await creator.get(`/v1/collections/${collection.id}`);
  expect(status).toBe(200);
  expectShape('getCollectionById', 200, body);
  expect(body).toMatchObject({
    object: 'collection',
    id: collection.id,
    title: 'Guides',
    organization: organizationId,
    defaultLevel: 'inherit',
    urls: collection.urls,
    permissions: collection.permissions,
  });
});

test('takes a parent through REST, or no body at all', async () => {
  const parent = await content.collection();
  const { status, body, headers } = await creator.post(path, { title: 'Inside', parent });
  expect(status).toBe(201);
  expectShape('createCollection', 201, body);
  expect(body).toMatchObject({ title: 'Inside', description: '', parent });
  expect(headers.get('location')).toBe(body.urls.location);
  const found = await creator.graphql('query($id: ID!) { collection(id: $id) { title parent { id } } }', {
    id: body.id,
  });
  expect(found.collection).toEqual({ title: 'Inside', parent: { id: parent } });
  const bare = await creator.post(path);
  expect([bare.status, bare.body.title]).toEqual([201, 'Untitled']);
});

test('nests ten deep and no deeper', async () => {
  let parent = (await admin.post(path)).body.id;
  for (let depth = 2; depth <= 10; depth++) {
    const { status, body } = await admin.post(path, { parent });
    expect(status).toBe(201);
    parent = body.id;
  }
  const { status, body } = await admin.post(path, { parent });
  expect([status, body.error.message]).toEqual([
    400,
    expect.stringMatching(/^parent: Collections can be nested up to 10 levels deep/),
  ]);
  expect((await admin.post(`/v1/orgs/${organizationId}/spaces`, { parent })).status).toBe(201);
});

test('the role on the parent counts, not the role in the organization', async () => {
  const open = await content.collection();
  const closed = await content.collection({ role: 'review' });
  await grant(open, guest.userId, 'create');
  expect((await guest.post(path, { parent: open })).status).toBe(201);
  expect((await guest.post(path)).status).toBe(403);
  expect((await creator.post(path, { parent: closed })).status).toBe(403);
});

test('checks in this order: token, visibility, role, input', async () => {
  const input = { organizationId, title: 'x'.repeat(51) };
  const clients = [anonymous, outsider, reviewer, creator];
  expect(await Promise.all(clients.map(async (client) => (await client.post(path, input)).status))).toEqual([
    401, 404, 403, 400,
  ]);
  const codes = clients.map((client) =>
    client.mutate('createCollection', input, 'collection { id }').catch(({ code }) => code),
  );
  expect(await Promise.all(codes)).toEqual(['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'BAD_USER_INPUT']);
  const inParent = { ...input, parent: await content.collection({ role: 'review' }) };
  expect((await creator.post(path, inParent)).status).toBe(403);
});

test.each([
  ['title', 'x'.repeat(51)],
  ['title', 'nul\u0000'],
  ['description', 'x'.repeat(101)],
  ['parent', 'nonsense'],
  ['parent', 5],
])('refuses the %s %j', async (name, value) => {
  const { status, body } = await admin.post(path, { [name]: value });
  expect(status).toBe(400);
  expect(body.error.message).toMatch(new RegExp(`^${name}: `));
});

test('a hidden parent or one of another organization is BAD_USER_INPUT', async () => {
  const foreign = await contentOf(db, otherOrganizationId).collection();
  const hidden = await content.collection({ role: 'none' });
  for (const parentId of [foreign, hidden]) {
    expect((await creator.post(path, { parent: parentId })).status).toBe(400);
    await expect(
      creator.mutate('createCollection', { organizationId, parentId }, 'collection { id }'),
    ).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  }
  expect(
    await db.selectFrom('placement').where('parentId', 'in', [foreign, hidden]).select('itemId').execute(),
  ).toEqual([]);
});
