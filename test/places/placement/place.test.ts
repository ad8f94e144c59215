import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  parentOf,
  placeItem,
  type SiblingPosition,
  siblingPosition,
} from '../../../src/domain/places/placement/index.ts';
import { rankBetween } from '../../../src/lib/rank.ts';
import type { Context } from '../../../src/platform/context/context.ts';
import { contentOf } from '../../people/access/content.ts';
import { world } from '../../world.ts';

const { app, organizationId, otherOrganizationId, ...people } = await world();
const { admin, creator } = people;
const { em, db } = app.services;
const content = contentOf(db, organizationId);

const contextOf = (userId: string): Context => ({
  actor: { kind: 'user', userId, isOperator: false, by: 'token' },
  em: em.fork(),
  db,
  services: app.services,
  requestId: 'test',
  log: app.services.log as Context['log'], // the server's logger has members that nothing here uses
  inTransaction: false,
});

const place = (itemId: string, parentId: string | null, position?: SiblingPosition, { userId } = admin) =>
  db
    .transaction()
    .execute((transaction) =>
      placeItem(
        { ...contextOf(userId), db: transaction, inTransaction: true },
        { itemId, organizationId, parentId, position },
      ),
    );

const itemsIn = async (parentId: string) =>
  (await db.selectFrom('placement').where('parentId', '=', parentId).orderBy('rank').select('itemId').execute()).map(
    ({ itemId }) => itemId,
  );

/** A collection with so many spaces in it. */
async function parentOfSpaces(count: number): Promise<[string, string[]]> {
  const parentId = await content.collection();
  const items: string[] = [];
  for (let made = 0; made < count; made++) items.push(await content.space({ parentId }));
  return [parentId, items];
}

test('an item is placed last or next to a given sibling, collections among spaces', async () => {
  const [parentId, [a = '', b = '']] = await parentOfSpaces(2);
  const [c, d, e, f] = [
    await content.space(),
    await content.collection(),
    await content.space(),
    await content.space(),
  ];
  await place(c, parentId);
  await place(d, parentId, { beforeId: a });
  await place(e, parentId, { afterId: a });
  await place(f, parentId, { beforeId: d });
  expect(await itemsIn(parentId)).toEqual([f, d, a, e, b, c]);
});

test('an item moves within its parent, also to where it is', async () => {
  const [parentId, [a = '', b = '', c = '']] = await parentOfSpaces(3);
  await place(a, parentId, { afterId: b });
  expect(await itemsIn(parentId)).toEqual([b, a, c]);
  await place(a, parentId, { afterId: b });
  expect(await itemsIn(parentId)).toEqual([b, a, c]);
  await place(b, parentId);
  expect(await itemsIn(parentId)).toEqual([a, c, b]);
  await place(b, null);
  expect(await itemsIn(parentId)).toEqual([a, c]);
  expect((await itemsIn(organizationId)).at(-1)).toBe(b);
});

test('deleted and hidden siblings keep their places but cannot be named', async () => {
  const [parentId, [a = '', b = '']] = await parentOfSpaces(2);
  const hidden = await content.space({ parentId, role: 'none' });
  await admin.delete(`/v1/spaces/${b}`);
  const item = await content.space();
  for (const name of [b, hidden]) {
    for (const position of [{ beforeId: name }, { afterId: name }]) {
      await expect(place(item, parentId, position, creator)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  }
  await place(item, parentId, { afterId: a }, creator);
  const last = await content.space();
  await place(last, parentId, undefined, creator);
  expect(await itemsIn(parentId)).toEqual([a, item, b, hidden, last]);
});

test('refuses a sibling that is the item itself, absent, or in another parent', async () => {
  const [parentId, [a = '']] = await parentOfSpaces(1);
  const elsewhere = await content.space();
  for (const id of [a, elsewhere, parentId, 'space_01h455vb4pex5vsknk084sn02q', '']) {
    for (const name of ['beforeId', 'afterId']) {
      await expect(place(a, parentId, { [name]: id })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        issues: [{ path: ['position', name] }],
      });
    }
  }
});

test('refuses a deleted collection or one of another organization', async () => {
  const foreign = await contentOf(db, otherOrganizationId).collection();
  const item = await content.space();
  for (const parentId of [foreign, 'collection_01h455vb4pex5vsknk084sn02q', organizationId]) {
    await expect(place(item, parentId)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      issues: [{ path: ['parentId'] }],
    });
  }
});

test('a position names one sibling at most', () => {
  const schema = z.object({ position: siblingPosition.nullish() });
  expect(schema.safeParse({ position: { beforeId: 'a', afterId: 'b' } }).error?.issues).toMatchObject([
    { path: ['position'], message: 'must contain either "beforeId" or "afterId", not both.' },
  ]);
  for (const position of [{ beforeId: 'a' }, { afterId: 'b', beforeId: null }, {}, null]) {
    expect(schema.safeParse({ position }).success).toBe(true);
  }
});

test('inserting at one place over and over gives the siblings new ranks before they grow long', async () => {
  const [parentId, [first = '', last = '']] = await parentOfSpaces(2);
  let [low, high] = [rankBetween(null, null), rankBetween(rankBetween(null, null), null)];
  while (low.length <= 64) low = rankBetween(low, high);
  for (const [itemId, rank] of [
    [first, low],
    [last, high],
  ] as const) {
    await db.updateTable('placement').set({ rank }).where('itemId', '=', itemId).execute();
  }
  const items: string[] = [];
  for (let count = 0; count < 5; count++) {
    const item = await content.space();
    await place(item, parentId, { afterId: first });
    items.unshift(item);
  }
  expect(await itemsIn(parentId)).toEqual([first, ...items, last]);
  const ranks = await db.selectFrom('placement').where('parentId', '=', parentId).select('rank').execute();
  expect(Math.max(...ranks.map(({ rank }) => rank.length))).toBeLessThan(10);
});

test('concurrent insertions at one position are serialized', async () => {
  const [parentId, [first = '', last = '']] = await parentOfSpaces(2);
  const items: string[] = [];
  for (let count = 0; count < 8; count++) items.push(await content.space());
  await Promise.all(items.map((item) => place(item, parentId, { afterId: first })));
  const found = await itemsIn(parentId);
  expect([found[0], found.at(-1)]).toEqual([first, last]);
  expect(found.slice(1, -1).sort()).toEqual(items.sort());
});

test('returns the parents of many items: a collection, the top level, or undefined', async () => {
  const [parentId, [inside = '']] = await parentOfSpaces(1);
  const ctx = contextOf(admin.userId);
  const parents = [inside, parentId, 'space_01h455vb4pex5vsknk084sn02q'].map((id) => parentOf(ctx, id));
  expect(await Promise.all(parents)).toEqual([parentId, null, undefined]);
});
