import { expect, test } from 'vitest';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';

const { app, admin, creator, outsider, organizationId, advance } = await world();
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
  const { status, body } = await admin.get(`${path}?resource=nonsense`);
  expect([status, body.error.issues[0].path]).toEqual([400, ['resource']]);
});

test('events are filtered by time', async () => {
  expect(await kindsIn(`createdAfter=${later}`)).toEqual(['space_updated']);
  expect(await kindsIn(`createdBefore=${later}`)).not.toContain('space_updated');
  expect((await admin.get(`${path}?createdAfter=yesterday`)).status).toBe(400);
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
