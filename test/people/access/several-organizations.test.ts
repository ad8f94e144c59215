import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { spacesOfCollection } from '../../../src/domain/places/spaces/list-spaces.ts';
import type { Context } from '../../../src/platform/context/context.ts';
import { accessThrough } from '../../../src/platform/context/database-access.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { world } from '../../world.ts';
import { contentOf } from './content.ts';

const { app, organizationId, otherOrganizationId, admin, guest, reader, grant } = await world();
const { db } = app.services;
const both = [organizationId, otherOrganizationId];

/** Content of each organization: with levels, in collections, published and private. */
const made: Record<string, { spaces: string[]; collectionId: string }> = {};
const contents = {
  [organizationId]: contentOf(db, organizationId),
  [otherOrganizationId]: contentOf(db, otherOrganizationId),
};
for (const [id, content] of Object.entries(contents)) {
  const collectionId = await content.collection({ role: 'none' });
  const spaces = [
    await content.space(),
    await content.space({ role: 'none' }),
    await content.space({ parentId: collectionId }),
    await content.space({ parentId: collectionId, role: 'edit' }),
  ];
  await content.site({ spaces: spaces.slice(1, 2), isPublished: true });
  await content.site({ spaces: spaces.slice(0, 1), role: 'none' });
  made[id] = { spaces, collectionId };
}
for (const { userId } of [guest, reader]) {
  await db
    .insertInto('membership')
    .values({
      id: newId('member'),
      organizationId: otherOrganizationId,
      userId,
      role: userId === guest.userId ? 'edit' : null,
    })
    .execute();
}

const LISTS = `id spaces(first: 50) { totalCount nodes { id } } collections(first: 50) { totalCount nodes { id } }
  sites(first: 50) { totalCount nodes { id } }`;
const SUB = `id spaces(first: 50) { totalCount nodes { id } }`;

type Caller = typeof guest;
const apart = async (client: Caller) => {
  const found = [];
  for (const id of both) {
    found.push((await client.graphql(`{ organization(id: "${id}") { ${LISTS} } }`)).organization);
  }
  return found;
};
const together = async (client: Caller) => {
  const { viewer } = await client.graphql(`{ viewer { organizations(first: 10) { nodes { ${LISTS} } } } }`);
  return both.map((id) => viewer.organizations.nodes.find((node: { id: string }) => node.id === id));
};

test.each([
  ['a guest of one and a member of the other', guest],
  ['a member of one and a guest of the other', reader],
])('%s finds the same in lists of several organizations as in each', async (_, client) => {
  expect(await together(client)).toEqual(await apart(client));
  // With what the lists of each have left in memory.
  expect(await together(client)).toEqual(await apart(client));
});

test('lists of several organizations follow a grant at once', async () => {
  const spaceId = made[organizationId]?.spaces[1] ?? '';
  await apart(guest);
  const before = await together(guest);
  await grant(spaceId, guest.userId, 'read');
  const after = await together(guest);
  const idsIn = (list: typeof before) => list[0].spaces.nodes.map(({ id }: { id: string }) => id);
  await grant(spaceId, guest.userId, 'none');
  expect(idsIn(after)).toContain(spaceId);
  expect(await together(guest)).toEqual(await apart(guest));
});

test('lists in collections of several organizations are those of each', async () => {
  const ids = both.map((id) => made[id]?.collectionId);
  await apart(reader);
  const aliases = ids.map((id, index) => `c${index}: collection(id: "${id}") { ${SUB} }`).join(' ');
  const all = await reader.graphql(`{ ${aliases} }`);
  for (const [index, id] of ids.entries()) {
    expect(await reader.graphql(`{ c${index}: collection(id: "${id}") { ${SUB} } }`)).toEqual({
      [`c${index}`]: all[`c${index}`],
    });
  }
});

test('a collection that is transferred while its list is read is not read with the rights in its former organization', async () => {
  const content = contents[organizationId];
  const collections = [await content?.collection(), await content?.collection()].map(String);
  const [kept = '', moved = ''] = collections;
  const spaces = [await content?.space({ parentId: kept }), await content?.space({ parentId: moved })];
  const { services } = app;
  const ctx: Context = {
    ...accessThrough(services.em.fork()),
    actor: { kind: 'user', userId: admin.userId, isOperator: false, by: 'token' },
    services,
    requestId: 'test',
    log: services.log,
    inTransaction: false,
  };
  const paging = { size: 10, direction: 'forward' as const, cursor: undefined };
  const list = async () => {
    const once = { ...ctx };
    const pages = await Promise.all(collections.map((id) => spacesOfCollection(once, id, {}).page(paging)));
    return pages.map(({ rows }) => rows.map(({ id }) => id));
  };
  expect(await list()).toEqual([[spaces[0]], [spaces[1]]]);
  let reading: ReturnType<typeof list> | undefined;
  await db.transaction().execute(async (transaction) => {
    // The list waits between the statement for the organizations and the one for the spaces.
    await sql`lock table placement in access exclusive mode`.execute(transaction);
    reading = list();
    const waiting = sql`select from pg_locks where not granted and relation = 'placement'::regclass`;
    while ((await waiting.execute(transaction)).rows.length === 0) await sleep(5);
    for (const [table, key, id] of [
      ['collection', 'id', moved],
      ['space', 'id', spaces[1]],
      ['placement', 'item_id', moved],
      ['placement', 'item_id', spaces[1]],
    ] as const)
      await sql`update ${sql.table(table)} set organization_id = ${otherOrganizationId} where ${sql.ref(key)} = ${id}`.execute(
        transaction,
      );
  });
  expect(await reading).toEqual([[spaces[0]], []]);
});
