import { beforeEach, expect, test } from 'vitest';
import type { Client } from '../../client.ts';
import { contentOf } from '../../people/access/content.ts';
import { world } from '../../world.ts';

const { app, eventsBy, organizationId, otherOrganizationId, grant, ...people } = await world();
const { admin, creator, editor, reader, guest, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

/** A collection with spaces A, B, C and a collection D between B and C. */
let parentId: string;
let ids: Record<'A' | 'B' | 'C' | 'D', string>;

beforeEach(async () => {
  parentId = await content.collection();
  const [A, B] = [await content.space({ parentId }), await content.space({ parentId })];
  const D = await content.collection({ parentId });
  ids = { A, B, D, C: await content.space({ parentId }) };
});

/** The items of a collection in their order, by the names of `ids`. */
async function orderIn(id: string): Promise<string> {
  const rows = await db.selectFrom('placement').where('parentId', '=', id).orderBy('rank').select('itemId').execute();
  const names = new Map(Object.entries(ids).map(([name, itemId]) => [itemId, name]));
  return rows.map(({ itemId }) => names.get(itemId) ?? '?').join('');
}

const pathOf = (id: string) => `/v1/${id.startsWith('space') ? 'spaces' : 'collections'}/${id}/move`;
const pointer = (id: string) =>
  id.startsWith('space') ? { type: 'space', space: id } : { type: 'collection', collection: id };
const move = (id: string, body: unknown, client: Client = admin) => client.post(pathOf(id), body);

test.each([
  ['A', { after: 'B' }, 'BADC'],
  ['C', { before: 'A' }, 'CABD'],
  ['A', { before: 'C' }, 'BDAC'],
  ['A', { after: 'D' }, 'BDAC'],
  ['D', { before: 'A' }, 'DABC'],
  ['D', { after: 'C' }, 'ABCD'],
  ['A', {}, 'BDCA'],
] as const)('%s is moved to %j among its siblings: %s', async (item, position, expected) => {
  const named = Object.fromEntries(Object.entries(position).map(([name, to]) => [name, pointer(ids[to as 'A'])]));
  const { status, body } = await move(ids[item], { position: named });
  expect([status, body.error, body.parent]).toEqual([200, undefined, parentId]);
  expect(await orderIn(parentId)).toBe(expected);
});

test('a space is moved to another collection, to a position there, and to the top level', async () => {
  const { A, C, D } = ids;
  const moved = await admin.restAs('moveSpace', 'POST', pathOf(A), { parent: D });
  expect([moved.status, moved.body.parent]).toEqual([200, D]);
  const before = { parentId: D, position: { beforeId: A } };
  const { space } = await admin.mutate('moveSpace', { spaceId: C, ...before }, 'space { id parent { id } version }');
  expect(space).toMatchObject({ id: C, parent: { id: D } });
  expect(await orderIn(D)).toBe('CA');
  const top = await move(C, { parent: null });
  expect([top.status, 'parent' in top.body, top.body.visibility]).toEqual([200, false, 'private']);
});

test('a move changes the version of the item, and can expect one', async () => {
  const read = await admin.get(`/v1/spaces/${ids.A}`);
  const etag = String(read.headers.get('etag'));
  const expecting = { 'if-match': etag };
  expect((await admin.send('POST', pathOf(ids.A), { parent: null }, expecting)).status).toBe(200);
  expect((await admin.send('POST', pathOf(ids.A), { parent: ids.D }, expecting)).status).toBe(412);
  expect((await admin.get(`/v1/spaces/${ids.A}`)).headers.get('etag')).not.toBe(etag);
});

test('a move to where the item is already is a conflict', async () => {
  const { A, B, C, D } = ids;
  const unchanged = [
    move(B, { parent: parentId, position: { before: pointer(D) } }),
    move(B, { position: { after: pointer(A) } }),
    move(C, { parent: parentId }),
    move(C, { position: {} }),
    move(D, { position: { after: pointer(B) } }),
  ];
  for (const { status } of await Promise.all(unchanged)) expect(status).toBe(409);
  expect(await orderIn(parentId)).toBe('ABDC');
});

test('hidden and deleted siblings do not show in whether an item moved', async () => {
  const { A, B, C, D } = ids;
  await grant(parentId, editor.userId, 'admin');
  await grant(A, editor.userId, 'admin');
  await grant(B, editor.userId, 'none');
  await admin.delete(`/v1/spaces/${C}`);
  expect((await move(A, { position: { before: pointer(D) } }, editor)).status).toBe(409);
  expect((await move(A, { position: { before: pointer(B) } }, editor)).status).toBe(400);
  expect((await move(D, { position: {} })).status).toBe(409);
  expect((await move(D, { position: { after: pointer(C) } })).status).toBe(400);
});

test('positions that name nothing in the parent are refused, on the member of the request', async () => {
  const elsewhere = await content.space();
  const { A, B, D } = ids;
  const refused: [unknown, string][] = [
    [{ position: { before: pointer(elsewhere) } }, 'position.before'],
    [{ parent: D, position: { before: pointer(B) } }, 'position.before'],
    [{ position: { after: pointer(A) } }, 'position.after'],
    [{ position: { after: pointer('space_absent') } }, 'position.after'],
    [{ position: { before: { type: 'space', space: D } } }, 'position.before'],
    [{ position: { before: { type: 'collection', collection: B } } }, 'position.before'],
    [{ position: { before: { type: 'page', page: B } } }, 'position.before'],
    [{ position: { before: B } }, 'position.before'],
    [{ position: { before: pointer(B), after: pointer(D) } }, 'position'],
    [{ position: 'last' }, 'position'],
    [{}, 'parent'],
    [{ position: null }, 'parent'],
    [{ parent: 'collection_absent' }, 'parent'],
    [{ parent: 1 }, 'parent'],
  ];
  for (const [body, place] of refused) {
    const { status, body: answer } = await move(A, body);
    const beginning = expect.stringMatching(new RegExp(`^${place.replace('.', '\\.')}: `));
    expect([JSON.stringify(body), status, answer.error?.message]).toEqual([JSON.stringify(body), 400, beginning]);
  }
  expect(await orderIn(parentId)).toBe('ABDC');
});

test('nothing moves to another organization', async () => {
  const foreign = await contentOf(db, otherOrganizationId).collection();
  for (const id of [ids.A, ids.D]) {
    expect((await move(id, { parent: foreign })).status).toBe(400);
    expect((await move(id, { parent: otherOrganizationId })).status).toBe(400);
  }
});

test('a collection is not moved into itself or what it contains, nor below the tenth level', async () => {
  const chain = [ids.D];
  for (let depth = 3; depth <= 6; depth++) chain.push(await content.collection({ parentId: chain.at(-1) ?? '' }));
  for (const parent of [chain[0], chain[1], chain.at(-1)]) {
    const { status, body } = await move(ids.D, { parent });
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining('itself')]);
  }
  // The chain has five levels, so that its parent may be on the fifth at most.
  let deep = await content.collection();
  for (let depth = 2; depth <= 5; depth++) deep = await content.collection({ parentId: deep });
  expect((await admin.restAs('moveCollection', 'POST', pathOf(ids.D), { parent: deep })).status).toBe(200);
  const deeper = await content.collection({ parentId: deep });
  const { status, body } = await move(ids.D, { parent: deeper });
  expect([status, body.error?.message]).toEqual([400, expect.stringContaining('10 levels')]);
});

test('a move requires admin on the item, on the parent that it leaves and on the new one', async () => {
  const target = await content.collection();
  await grant(ids.A, reader.userId, 'admin');
  await grant(ids.B, creator.userId, 'create');
  expect((await move(ids.A, { parent: target }, reader)).status).toBe(403);
  expect((await move(ids.A, { parent: null }, reader)).status).toBe(403);
  expect((await move(ids.A, { position: {} }, reader)).status).toBe(403);
  expect((await move(ids.B, { parent: null }, creator)).status).toBe(403);
  expect((await move(ids.A, { parent: null }, outsider)).status).toBe(404);
  expect((await move(ids.A, { parent: null }, anonymous)).status).toBe(401);
  await grant(target, reader.userId, 'create');
  expect((await move(ids.A, { parent: target }, reader)).status).toBe(403);
  await grant(target, reader.userId, 'admin');
  const refused = await move(ids.A, { parent: target }, reader);
  expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('out of its collection')]);
  await grant(parentId, reader.userId, 'admin');
  expect((await move(ids.A, { parent: target }, reader)).status).toBe(200);
  // At the top level, `create` in the organization is enough.
  await grant(ids.C, creator.userId, 'admin');
  expect((await move(ids.C, { parent: null }, creator)).status).toBe(403);
  await grant(parentId, creator.userId, 'admin');
  expect((await move(ids.C, { parent: null }, creator)).status).toBe(200);
  expect((await move(ids.C, { parent: parentId }, creator)).status).toBe(200);
  expect((await move(ids.A, { parent: null }, admin)).status).toBe(200);
  expect((await move(ids.A, { parent: target }, reader)).status).toBe(403);
});

test('those who do not see the parent of an item cannot change its position, and do not learn of the parent', async () => {
  await grant(ids.A, guest.userId, 'admin');
  const moved = await move(ids.A, { position: {} }, guest);
  expect([moved.status, moved.body.error.message]).toEqual([403, expect.not.stringContaining(parentId)]);
  expect((await move(ids.A, { parent: parentId }, guest)).status).toBe(400);
  expect((await move(ids.A, { parent: null }, guest)).status).toBe(403);
});

test('a move changes what is inherited', async () => {
  const hidden = await content.collection({ role: 'none' });
  expect((await reader.get(`/v1/spaces/${ids.A}`)).status).toBe(200);
  await move(ids.A, { parent: hidden });
  expect((await reader.get(`/v1/spaces/${ids.A}`)).status).toBe(404);
});

test('simultaneous moves of collections into each other leave a tree', async () => {
  const [one, other] = [await content.collection(), await content.collection()];
  const statuses = await Promise.all([move(one, { parent: other }), move(other, { parent: one })]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('moves are events', async () => {
  await move(ids.A, { parent: ids.D });
  await move(ids.D, { parent: null });
  const withIds = (found: Record<string, string>) => expect.objectContaining({ ids: found });
  expect(await eventsBy('kind=space_moved')).toContainEqual(withIds({ spaceId: ids.A, parentId: ids.D }));
  expect(await eventsBy('kind=collection_moved')).toContainEqual(withIds({ collectionId: ids.D }));
});
