import { expect, test } from 'vitest';
import { contentOf } from '../../people/access/content.ts';
import { world } from '../../world.ts';

const { app, eventsBy, organizationId, grant, ...people } = await world();
const { admin, creator, editor, reader, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

test('title, description and default level are changed on both transports; what is left out stays', async () => {
  const id = await content.collection();
  const path = `/v1/collections/${id}`;
  const patched = await admin.restAs('updateCollectionById', 'PATCH', path, { title: 'Guides', description: 'All' });
  expect([patched.status, patched.body]).toMatchObject([
    200,
    { title: 'Guides', description: 'All', defaultLevel: 'inherit' },
  ]);
  const changes = { collectionId: id, defaultLevel: 'NONE' };
  const { collection } = await admin.mutate('updateCollection', changes, 'collection { title defaultLevel }');
  expect(collection).toEqual({ title: 'Guides', defaultLevel: 'NONE' });
  expect((await reader.get(path)).status).toBe(404);
  expect((await admin.patch(path, { defaultLevel: 'read', description: null })).body).toMatchObject({
    defaultLevel: 'read',
    description: '',
  });
  expect((await admin.patch(path, { defaultLevel: null })).body.defaultLevel).toBe(null);
  const unchanged = await admin.patch(path, {});
  expect([unchanged.status, unchanged.body.title]).toEqual([200, 'Guides']);
});

test.each([
  [{ title: '' }, 'title'],
  [{ title: ' ' }, 'title'],
  [{ title: 'x'.repeat(51) }, 'title'],
  [{ title: null }, 'title'],
  [{ description: 'x'.repeat(101) }, 'description'],
  [{ defaultLevel: 'owner' }, 'defaultLevel'],
])('%j is refused', async (body, place) => {
  const { status, body: answer } = await admin.patch(`/v1/collections/${await content.collection()}`, body);
  expect([status, answer.error?.message]).toEqual([400, expect.stringContaining(place)]);
});

test('the texts require create, the default level and deletion require admin', async () => {
  const id = await content.collection();
  const path = `/v1/collections/${id}`;
  expect((await creator.patch(path, { title: 'Mine' })).status).toBe(200);
  expect((await creator.patch(path, { title: 'Mine', defaultLevel: 'admin' })).status).toBe(403);
  expect((await creator.delete(path)).status).toBe(403);
  expect((await editor.patch(path, { title: 'Mine' })).status).toBe(403);
  expect((await outsider.patch(path, { title: 'Mine' })).status).toBe(404);
  expect((await outsider.delete(path)).status).toBe(204);
  expect((await anonymous.delete(path)).status).toBe(401);
  await grant(id, reader.userId, 'admin');
  expect((await reader.patch(path, { defaultLevel: 'edit' })).status).toBe(200);
});

test('an update can expect a version', async () => {
  const path = `/v1/collections/${await content.collection()}`;
  const etag = String((await admin.get(path)).headers.get('etag'));
  const patch = (title: string) => admin.send('PATCH', path, { title }, { 'if-match': etag });
  expect([(await patch('One')).status, (await patch('Two')).status]).toEqual([200, 412]);
});

test('the content of a deleted collection takes its place in the parent, in its order', async () => {
  const parentId = await content.collection();
  const first = await content.space({ parentId });
  const removed = await content.collection({ parentId, role: 'edit' });
  const last = await content.space({ parentId });
  const inside = [
    await content.space({ parentId: removed }),
    await content.collection({ parentId: removed }),
    await content.space({ parentId: removed }),
  ];
  const nested = await content.space({ parentId: inside[1] ?? '' });
  await grant(removed, reader.userId, 'admin');
  await admin.delete(`/v1/spaces/${inside[2]}`);
  expect((await reader.get(`/v1/spaces/${nested}`)).body.permissions.admin).toBe(true);

  expect((await admin.delete(`/v1/collections/${removed}`)).status).toBe(204);
  const order = await db
    .selectFrom('placement')
    .where('parentId', '=', parentId)
    .orderBy('rank')
    .select('itemId')
    .execute();
  expect(order.map(({ itemId }) => itemId)).toEqual([first, ...inside, last]);
  expect((await admin.get(`/v1/collections/${removed}`)).status).toBe(404);
  expect((await admin.get(`/v1/spaces/${inside[0]}`)).body.parent).toBe(parentId);
  expect((await reader.get(`/v1/spaces/${nested}`)).body.permissions.admin).toBe(false);
  const left = await db.selectFrom('grant').where('targetId', '=', removed).select('granteeId').execute();
  expect(left).toEqual([]);
  // A deleted space is restored beside the others.
  expect((await admin.post(`/v1/spaces/${inside[2]}/restore`)).body.parent).toBe(parentId);
});

test('a collection at the top level leaves its content there; deleting again has no effect', async () => {
  const collectionId = await content.collection();
  const space = await content.space({ parentId: collectionId });
  const selection = 'deletedId collection { id } organization { id }';
  expect(await admin.mutate('deleteCollection', { collectionId }, selection)).toEqual({
    deletedId: collectionId,
    collection: null,
    organization: { id: organizationId },
  });
  expect((await admin.mutate('deleteCollection', { collectionId }, selection)).deletedId).toBe(null);
  expect((await admin.delete(`/v1/collections/${collectionId}`)).status).toBe(204);
  expect((await admin.get(`/v1/spaces/${space}`)).body).not.toHaveProperty('parent');
});

test('lists follow the deletion: nested and top-level collections, and spaces', async () => {
  const outer = await content.collection();
  const inner = await content.collection({ parentId: outer });
  const idsIn = async (query: string) =>
    (await admin.get(`/v1/orgs/${organizationId}/collections?limit=1000&${query}`)).body.items.map(
      ({ id }: { id: string }) => id,
    );
  expect(await idsIn('nested=false')).toContain(outer);
  expect(await idsIn('nested=false')).not.toContain(inner);
  await admin.delete(`/v1/collections/${outer}`);
  expect(await idsIn('nested=true')).not.toContain(outer);
  expect(await idsIn('nested=false')).toContain(inner);
});

test('updates and deletions are events', async () => {
  const collectionId = await content.collection();
  await admin.patch(`/v1/collections/${collectionId}`, { title: 'New' });
  await admin.delete(`/v1/collections/${collectionId}`);
  for (const kind of ['collection_updated', 'collection_deleted']) {
    expect(await eventsBy(`kind=${kind}`)).toContainEqual(expect.objectContaining({ ids: { collectionId } }));
  }
});
