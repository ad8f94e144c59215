import { expect, test } from 'vitest';
import { intruder } from '../../limits/processes.ts';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { app, organizationId, databaseUrl, advance, ...people } = await world();
const { admin, creator, reader, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

const DAY = 24 * 60 * 60 * 1000;
const ABSENT = 'space_01h455vb4pex5vsknk084sn02q';

const idsIn = async (collectionId: string) =>
  (await admin.get(`/v1/collections/${collectionId}/spaces`)).body.items.map(({ id }: { id: string }) => id);

test('a deleted space is not listed, is visible to admins only, and cannot be changed', async () => {
  const collection = await content.collection();
  const [first, spaceId, last] = [
    await content.space({ parentId: collection }),
    await content.space({ parentId: collection }),
    await content.space({ parentId: collection }),
  ];
  const { deletedId } = await admin.mutate('deleteSpace', { spaceId }, 'deletedId');
  expect(deletedId).toBe(spaceId);
  expect(await idsIn(collection)).toEqual([first, last]);
  const { status, body } = await admin.get(`/v1/spaces/${spaceId}`);
  expect(status).toBe(200);
  expectShape('getSpaceById', 200, body);
  expect(Date.parse(body.deletedAt)).toBeGreaterThan(Date.now() - DAY);
  for (const client of [creator, reader, outsider])
    expect((await client.get(`/v1/spaces/${spaceId}`)).status).toBe(404);
  expect((await anonymous.get(`/v1/spaces/${spaceId}`)).status).toBe(401);
  expect((await admin.patch(`/v1/spaces/${spaceId}`, { title: 'x' })).status).toBe(404);
  expect((await admin.post(`/v1/spaces/${spaceId}/duplicate`)).status).toBe(404);
});

test('the payload has the parent of the space', async () => {
  const parentId = await content.collection();
  const parents = 'deletedId collection { id } organization { id }';
  const [within, atTop] = [await content.space({ parentId }), await content.space()];
  expect(await admin.mutate('deleteSpace', { spaceId: within }, parents)).toEqual({
    deletedId: within,
    collection: { id: parentId },
    organization: { id: organizationId },
  });
  expect(await admin.mutate('deleteSpace', { spaceId: atTop }, parents)).toMatchObject({ collection: null });
  expect(await admin.mutate('deleteSpace', { spaceId: atTop }, parents)).toEqual({
    deletedId: null,
    collection: null,
    organization: null,
  });
});

test('deleting what is absent, hidden or deleted has no effect', async () => {
  const spaceId = await content.space();
  const hidden = await content.space({ role: 'none' });
  for (const [client, id] of [
    [admin, ABSENT],
    [outsider, spaceId],
    [reader, hidden],
  ] as const) {
    expect(await client.delete(`/v1/spaces/${id}`)).toMatchObject({ status: 204, body: '' });
    expect(await client.mutate('deleteSpace', { spaceId: id }, 'deletedId')).toEqual({ deletedId: null });
  }
  expect((await admin.get(`/v1/spaces/${spaceId}`)).body).not.toHaveProperty('deletedAt');
  expect(await admin.delete(`/v1/spaces/${spaceId}`)).toMatchObject({ status: 204, body: '' });
  const { deletedAt } = (await admin.get(`/v1/spaces/${spaceId}`)).body;
  expect((await admin.delete(`/v1/spaces/${spaceId}`)).status).toBe(204);
  expect((await admin.get(`/v1/spaces/${spaceId}`)).body.deletedAt).toBe(deletedAt);
});

test('deleting and restoring require an admin', async () => {
  const spaceId = await content.space();
  for (const client of [reader, creator]) {
    expect((await client.delete(`/v1/spaces/${spaceId}`)).status).toBe(403);
    expect((await client.post(`/v1/spaces/${spaceId}/restore`)).status).toBe(403);
    await expect(client.mutate('deleteSpace', { spaceId }, 'deletedId')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(client.mutate('restoreSpace', { spaceId }, 'space { id }')).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  }
  expect((await anonymous.delete(`/v1/spaces/${spaceId}`)).status).toBe(401);
  expect((await outsider.post(`/v1/spaces/${spaceId}/restore`)).status).toBe(404);
  await admin.delete(`/v1/spaces/${spaceId}`);
  expect((await creator.post(`/v1/spaces/${spaceId}/restore`)).status).toBe(404);
});

test('restoring brings it back to its place', async () => {
  const collection = await content.collection();
  const ids = [
    await content.space({ parentId: collection }),
    await content.space({ parentId: collection }),
    await content.space({ parentId: collection }),
  ];
  await admin.delete(`/v1/spaces/${ids[1]}`);
  const { status, body } = await admin.post(`/v1/spaces/${ids[1]}/restore`);
  expect(status).toBe(200);
  expectShape('restoreSpace', 200, body);
  expect(body).not.toHaveProperty('deletedAt');
  expect(await idsIn(collection)).toEqual(ids);
  const again = await admin.mutate('restoreSpace', { spaceId: ids[1] }, 'space { id deletedAt }');
  expect(again.space).toEqual({ id: ids[1], deletedAt: null });
});

test('restoring puts it at the end of the top level when its collection is gone', async () => {
  const collection = await content.collection();
  const spaceId = await content.space({ parentId: collection });
  await admin.delete(`/v1/spaces/${spaceId}`);
  await db.deleteFrom('collection').where('id', '=', collection).execute();
  const { space } = await admin.mutate('restoreSpace', { spaceId }, 'space { deletedAt visibility parent { id } }');
  expect(space).toEqual({ deletedAt: null, visibility: 'PRIVATE', parent: null });
  const last = await db
    .selectFrom('placement')
    .where('parentId', '=', organizationId)
    .orderBy('rank', 'desc')
    .select('itemId')
    .executeTakeFirst();
  expect(last?.itemId).toBe(spaceId);
});

test('concurrent restorations restore it once', async () => {
  const spaceId = await content.space();
  await admin.delete(`/v1/spaces/${spaceId}`);
  await using other = await intruder(databaseUrl);
  await other.lockSpace(spaceId);
  const restoring = [1, 2].map(() => admin.post(`/v1/spaces/${spaceId}/restore`));
  await expect.poll(() => other.waiting()).toBe(2);
  await other.release();
  expect((await Promise.all(restoring)).map(({ status }) => status)).toEqual([200, 200]);
  const events = await db
    .selectFrom('event')
    .where('spaceId', '=', spaceId)
    .where('kind', '=', 'space_restored')
    .selectAll()
    .execute();
  expect(events).toHaveLength(1);
});

test('a space can be restored for seven days by the clock', async () => {
  const [early, late] = [await content.space(), await content.space()];
  await admin.delete(`/v1/spaces/${early}`);
  await admin.delete(`/v1/spaces/${late}`);
  advance(7 * DAY - 60_000);
  expect((await admin.post(`/v1/spaces/${early}/restore`)).status).toBe(200);
  advance(120_000);
  expect((await admin.post(`/v1/spaces/${late}/restore`)).status).toBe(404);
  await expect(admin.mutate('restoreSpace', { spaceId: late }, 'space { id }')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect((await admin.get(`/v1/spaces/${early}`)).status).toBe(200);
});
