import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids.ts';
import { world } from '../../world.ts';
import { contentOf } from './content.ts';

const { app, organizationId, otherOrganizationId, guest, reader, grant } = await world();
const { db } = app.services;
const both = [organizationId, otherOrganizationId];

/** Content of each organization: with levels, in collections, published and private. */
const made: Record<string, { spaces: string[]; collectionId: string }> = {};
for (const id of both) {
  const content = contentOf(db, id);
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
