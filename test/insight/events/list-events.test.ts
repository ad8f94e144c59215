import { expect, test } from 'vitest';
import { namesInIds } from '../../../src/domain/insight/events/filters.ts';
import { prefixOf } from '../../../src/platform/ids/ids.ts';
import { statementsOf } from '../../client.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';

const { app, admin, creator, outsider, organizationId, otherOrganizationId, advance } = await world();
const path = `/v1/orgs/${organizationId}/events`;

interface Shown {
  type: string;
  actor: string;
}

const kindsIn = async (query: string) =>
  (await admin.get(`${path}?limit=1000&${query}`)).body.items.map(({ type }: Shown) => type);

const collection = (await creator.post(`/v1/orgs/${organizationId}/collections`, { title: 'Shelf' })).body;
const space = (await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body;
const changeRequest = (await admin.post(`/v1/spaces/${space.id}/change-requests`, { subject: 'Words' })).body;
advance(3_600_000);
const later = new Date(Date.now() + 3_000_000).toISOString();
await admin.patch(`/v1/spaces/${space.id}`, { title: 'Handbook' });
await settled(app.services.db);

test('events are filtered by actor', async () => {
  expect(await kindsIn(`actor=${creator.userId}`)).toEqual(['collection_created']);
  expect(await kindsIn(`actor=${outsider.userId}`)).toEqual([]);
});

test('events are filtered by any resource that they concern', async () => {
  expect(await kindsIn(`resource=${collection.id}`)).toEqual(['collection_created']);
  expect(await kindsIn(`resource=${changeRequest.id}`)).toEqual(['change_request_created']);
  expect(await kindsIn(`resource=${space.id}&type=space_updated`)).toEqual(['space_updated']);
  for (const wrong of ['nonsense', `constructor_${'0'.repeat(26)}`, `valueof_${'0'.repeat(26)}`]) {
    const { status, body } = await admin.get(`${path}?resource=${wrong}`);
    expect([wrong, status, body.error.issues[0].path]).toEqual([wrong, 400, ['resource']]);
  }
});

test('events are filtered by time', async () => {
  expect(await kindsIn(`createdAfter=${later}`)).toEqual(['space_updated']);
  expect(await kindsIn(`createdBefore=${later}`)).not.toContain('space_updated');
  expect((await admin.get(`${path}?createdAfter=yesterday`)).status).toBe(400);
});

test('times that PostgreSQL cannot read are refused, and offsets are converted', async () => {
  for (const time of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00']) {
    const { status, body } = await admin.get(`${path}?createdBefore=${encodeURIComponent(time)}`);
    expect([status, body.error.issues]).toEqual([
      400,
      [expect.objectContaining({ path: ['createdBefore'], message: expect.stringMatching(/years 0001 to 9999/) })],
    ]);
  }
  const early = encodeURIComponent('2000-01-01T00:00:00+16:00');
  expect(await kindsIn(`createdAfter=${early}`)).toContain('space_updated');
  expect(await kindsIn(`createdBefore=${early}`)).toEqual([]);
});

test('the filters combine, page by page, in the graph too', async () => {
  const read = (first: number, after: string | null) =>
    admin.graphql(
      `query ($first: Int, $after: String) { organization(id: "${organizationId}") {
        events(first: $first, after: $after, actorId: "${admin.userId}", createdBefore: "${later}") {
          totalCount nodes { kind actorId } pageInfo { hasNextPage endCursor } } } }`,
      { first, after },
    );
  const all = (await read(100, null)).organization.events;
  expect(all.nodes.every(({ actorId }: { actorId: string }) => actorId === admin.userId)).toBe(true);
  const first = (await read(1, null)).organization.events;
  const rest = (await read(100, first.pageInfo.endCursor)).organization.events;
  expect([...first.nodes, ...rest.nodes]).toEqual(all.nodes);
  expect(first.totalCount).toBe(all.nodes.length);
});

test('the audit log is for admins', async () => {
  expect((await creator.get(`${path}?actor=${creator.userId}`)).status).toBe(403);
  expect((await outsider.get(`${path}?actor=${outsider.userId}`)).status).toBe(404);
});

const LOG = `query ($kind: EventKind, $first: Int) { organization(id: "${organizationId}") { events(kind: $kind, first: $first) {
  nodes { kind ids references { name resourceId node { __typename id
    ... on Space { title } ... on ChangeRequest { subject } ... on Collection { title } } } } } } }`;

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
const logged = async (variables: object): Promise<any[]> =>
  (await admin.graphql(LOG, { ...variables })).organization.events.nodes;

test('events lead to the resources that they concern, as they are now', async () => {
  const [proposed] = await logged({ kind: 'CHANGE_REQUEST_CREATED' });
  expect(proposed.references).toEqual(
    expect.arrayContaining([
      {
        name: 'spaceId',
        resourceId: space.id,
        node: { __typename: 'Space', id: space.id, title: 'Handbook' },
      },
      {
        name: 'changeRequestId',
        resourceId: changeRequest.id,
        node: { __typename: 'ChangeRequest', id: changeRequest.id, subject: 'Words' },
      },
    ]),
  );
  for (const { ids, references } of await logged({ first: 100 }))
    expect(Object.fromEntries(references.map(({ name, resourceId }: Named) => [name, resourceId]))).toEqual(ids);
});

interface Named {
  name: string;
  resourceId: string;
}

test('resources that are gone, or that the admin cannot see, have no node', async () => {
  const shelf = (await creator.post(`/v1/orgs/${organizationId}/collections`, { title: 'Gone' })).body;
  await creator.delete(`/v1/collections/${shelf.id}`);
  await creator.mutate('createApiToken', { label: 'Mine', userId: creator.userId }, 'apiToken { id }');
  const elsewhere = await outsider.mutate(
    'createSpace',
    { organizationId: otherOrganizationId, title: 'Theirs' },
    'space { id }',
  );
  // An event of this organization with the id of a resource of another one, as after a transfer.
  await app.services.db
    .updateTable('event')
    .set({ ids: JSON.stringify({ spaceId: elsewhere.space.id, changes: '2' }) as never })
    .where('organizationId', '=', organizationId)
    .where('kind', '=', 'space_created')
    .execute();
  await settled(app.services.db);
  const [deleted] = await logged({ kind: 'COLLECTION_DELETED' });
  expect(deleted.references).toEqual([{ name: 'collectionId', resourceId: shelf.id, node: null }]);
  const [foreign] = await logged({ kind: 'SPACE_CREATED' });
  expect(foreign.references).toEqual([{ name: 'spaceId', resourceId: elsewhere.space.id, node: null }]);
});

test('resources of many events are read together', async () => {
  for (let index = 0; index < 5; index++)
    await admin.post(`/v1/spaces/${space.id}/change-requests`, { subject: `Number ${index}` });
  await settled(app.services.db);
  const ask = async (first: number) =>
    statementsOf(await admin.graphqlRaw(LOG, { kind: 'CHANGE_REQUEST_CREATED', first }));
  expect(await ask(5)).toBe(await ask(1));
});

test('events are filtered by resources that their ids name in another way', async () => {
  const shelf = (await creator.post(`/v1/orgs/${organizationId}/collections`, { title: 'Within' })).body;
  await creator.post(`/v1/collections/${shelf.id}/move`, { parent: collection.id });
  const copy = (await admin.post(`/v1/spaces/${space.id}/duplicate`)).body;
  await settled(app.services.db);
  expect(await kindsIn(`resource=${collection.id}`)).toContain('collection_moved');
  const { items } = (await admin.get(`${path}?resource=${space.id}&type=space_created`)).body;
  expect(items).toContainEqual(expect.objectContaining({ ids: expect.objectContaining({ copiedSpaceId: space.id }) }));
  expect(await kindsIn(`resource=${copy.id}`)).toEqual(['space_created']);
});

test('each id of an event is found by the filter', async () => {
  const { items } = (await admin.get(`${path}?limit=1000`)).body;
  for (const { type, ids } of items) {
    for (const [name, id] of Object.entries(ids).filter(([, value]) => prefixOf(value as string) !== undefined)) {
      expect([type, name, namesInIds(id as string)]).toEqual([type, name, expect.arrayContaining([name])]);
    }
  }
});
