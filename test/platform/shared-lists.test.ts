import { expect, test } from 'vitest';
import { requestSlot } from '../../src/platform/reads/request-slot.ts';
import type { Client } from '../client.ts';
import { world } from '../world.ts';

const { admin, reader, guest, outsider, organizationId, grant } = await world();
const spaces = `/v1/orgs/${organizationId}/spaces`;

/** A space that only admins and those with a grant can see. */
async function hiddenSpace(title: string): Promise<string> {
  const { body } = await admin.post(spaces, { title });
  expect((await admin.patch(`/v1/spaces/${body.id}`, { defaultLevel: 'none' })).status).toBe(200);
  return body.id;
}

const listedBy = async (client: Client, path: string): Promise<string[] | number> => {
  const { status, body } = await client.get(path);
  return status === 200 ? body.items.map(({ title }: { title: string }) => title) : status;
};

test('callers of every kind who list the same at once each see what they may', async () => {
  await admin.post(spaces, { title: 'Open' });
  const granted = await hiddenSpace('Granted');
  await hiddenSpace('Hidden');
  await grant(granted, guest.userId, 'read');
  const callers = [admin, guest, reader, outsider, admin, guest];
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(callers.map((client) => listedBy(client, `${spaces}?limit=3`)));
    expect(answers).toEqual([
      ['Hidden', 'Granted', 'Open'],
      ['Granted'],
      ['Open'],
      404,
      ['Hidden', 'Granted', 'Open'],
      ['Granted'],
    ]);
  }
});

test('what is shown beside a space depends on the caller, in one batch too', async () => {
  const { body: collection } = await admin.post(`/v1/orgs/${organizationId}/collections`, { title: 'Around' });
  const { body: space } = await admin.post(spaces, { title: 'Within', parent: collection.id });
  await grant(collection.id, reader.userId, 'none');
  await grant(space.id, reader.userId, 'read');
  const path = `/v1/spaces/${space.id}`;
  for (let round = 0; round < 10; round++) {
    const [byAdmin, byReader] = await Promise.all([admin.get(path), reader.get(path)]);
    expect([byAdmin.body.parent, byAdmin.body.permissions.admin]).toEqual([collection.id, true]);
    expect([byReader.body.parent, byReader.body.permissions.admin]).toEqual([undefined, false]);
  }
});

test('a list shows what was written before it, to every client, and nothing after a revocation', async () => {
  const callers = [admin, guest, admin, guest];
  const see = async (title: string) =>
    (await Promise.all(callers.map((client) => listedBy(client, spaces)))).map((titles) =>
      [titles].flat().includes(title),
    );
  for (let round = 0; round < 10; round++) {
    const title = `Round ${round}`;
    const id = await hiddenSpace(title);
    await grant(id, guest.userId, 'read');
    expect(await see(title)).toEqual([true, true, true, true]);
    await grant(id, guest.userId, 'none');
    expect(await see(title)).toEqual([true, false, true, false]);
  }
});

const DISCUSSIONS = `query Discussions($space: ID!) {
  space(id: $space) {
    changeRequests(first: 10, status: ALL) { nodes { subject comments(first: 2) { totalCount nodes { body { markdown } } } } }
    comments(first: 2) { nodes { body { markdown } } }
  }
}`;

test('callers who read the discussions of spaces at once each get those of their spaces', async () => {
  const titles = ['First', 'Second'];
  const expected = (title: string) => ({
    changeRequests: {
      nodes: ['b', 'a'].map((name) => ({
        subject: `${title} ${name}`,
        comments: {
          totalCount: 3,
          nodes: [3, 2].map((count) => ({ body: { markdown: `${title} ${name} ${count}` } })),
        },
      })),
    },
    comments: { nodes: [{ body: { markdown: `${title} itself` } }] },
  });
  const spaceIds: string[] = [];
  for (const title of titles) {
    const id = await hiddenSpace(title);
    await grant(id, guest.userId, 'read');
    for (const name of ['a', 'b']) {
      const { body } = await admin.post(`/v1/spaces/${id}/change-requests`, { subject: `${title} ${name}` });
      for (const count of [1, 2, 3]) {
        const comment = { body: { markdown: `${title} ${name} ${count}` } };
        await admin.post(`/v1/spaces/${id}/change-requests/${body.id}/comments`, comment);
      }
    }
    await admin.post(`/v1/spaces/${id}/comments`, { body: { markdown: `${title} itself` } });
    spaceIds.push(id);
  }
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      [admin, guest, reader].flatMap((client) =>
        spaceIds.map(async (space) => (await client.graphqlRaw(DISCUSSIONS, { space })).body.data.space),
      ),
    );
    expect(answers).toEqual([...titles.map(expected), ...titles.map(expected), null, null]);
  }
});

test('the count of a list that ends on its first page is that of its items', async () => {
  const { body: all } = await admin.get(`${spaces}?limit=1000`);
  const { body: first } = await admin.get(`${spaces}?limit=2`);
  const { body: none } = await admin.get(`${spaces}?limit=0`);
  expect([all.count, first.count, none.count]).toEqual(Array(3).fill(all.items.length));
  const { body: rest } = await admin.get(`${spaces}?limit=1000&page=${encodeURIComponent(first.next.page)}`);
  expect([rest.items.length, rest.count]).toEqual([all.items.length - 2, all.items.length]);
});

test('a copy of an object has nothing of what is kept with it', () => {
  const notes = requestSlot<object, string>('note');
  const object = { name: 'original' };
  notes.set(object, 'one');
  notes.set(object, 'two');
  expect([notes.get(object), notes.get({ ...object })]).toEqual(['two', undefined]);
  expect(Object.keys(object)).toEqual(['name']);
  notes.set(object, undefined);
  expect(notes.get(object)).toBeUndefined();
});
