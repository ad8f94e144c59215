import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { app, admin, creator, reader, guest, outsider, organizationId, grant } = await world();

const path = (userId: string) => `/v1/orgs/${organizationId}/members/${userId}/spaces`;
const make = async (title: string, body: object = {}) => {
  const { body: space } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title, empty: true });
  if (Object.keys(body).length > 0) await admin.patch(`/v1/spaces/${space.id}`, body);
  return space.id as string; // of a space that was made
};
const open = await make('Open');
const closed = await make('Closed', { defaultLevel: null });
const shared = await make('Shared', { defaultLevel: null });
await grant(shared, guest.userId, 'edit');
await grant(closed, reader.userId, 'review');

const titles = ({ body }: { body: { items: { permission: string; space: { title: string } }[] } }) =>
  body.items.map(({ permission, space }) => `${space.title}: ${permission}`);

test('lists what a member can read with the role, newest first', async () => {
  const answer = await admin.restAs('listSpacesForOrganizationMember', 'GET', path(reader.userId));
  expect(titles(answer)).toEqual(['Closed: review', 'Open: read']);
  expect(answer.body.count).toBe(2);
  expect(titles(await admin.get(`${path(reader.userId)}?order=asc`))).toEqual(['Open: read', 'Closed: review']);
  expect(titles(await admin.get(path(guest.userId)))).toEqual(['Shared: edit']);
  expect(titles(await admin.get(path(admin.userId)))).toEqual(['Shared: admin', 'Closed: admin', 'Open: admin']);
});

test('leaves out what the caller cannot see', async () => {
  expect(titles(await creator.get(path(reader.userId)))).toEqual(['Open: read']);
  expect(titles(await creator.get(path(guest.userId)))).toEqual([]);
  expect((await creator.get(path(guest.userId))).body.count).toBe(0);
});

test('has the role on the edges in the graph, for many members at once', async () => {
  const { organization } = await admin.graphql(
    `query($id: ID!) { organization(id: $id) { members(role: READ) { nodes {
      spacesCount spaces(order: ASC) { totalCount edges { permission node { id } } }
    } } } }`,
    { id: organizationId },
  );
  expect(organization.members.nodes).toEqual([
    {
      spacesCount: 2,
      spaces: {
        totalCount: 2,
        edges: [
          { permission: 'READ', node: { id: open } },
          { permission: 'REVIEW', node: { id: closed } },
        ],
      },
    },
  ]);
});

test('the counts of members are those of their lists', async () => {
  const { body: outer } = await admin.post(`/v1/orgs/${organizationId}/collections`, { title: 'Outer' });
  const { body: inner } = await admin.post(`/v1/orgs/${organizationId}/collections`, {
    title: 'Inner',
    parent: outer.id,
  });
  const within = async (parent: string, by = admin) =>
    (await by.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Within', parent, empty: true })).body.id as string; // made
  const [first, second] = [await within(inner.id), await within(inner.id)];
  await within(outer.id, creator);
  await app.services.db.updateTable('collection').set({ defaultLevel: 'none' }).where('id', '=', outer.id).execute();
  await grant(inner.id, reader.userId, 'comment');
  await grant(second, guest.userId, 'read');
  await grant(first, reader.userId, 'none');
  const { body: team } = await admin.put(`/v1/orgs/${organizationId}/teams`, {
    title: 'Team',
    members: [guest.userId],
  });
  await grant(outer.id, team.id, 'edit');
  const { organization } = await admin.graphql(
    'query($id: ID!) { organization(id: $id) { members { nodes { spacesCount spaces { totalCount } user { displayName } } } } }',
    { id: organizationId },
  );
  const counts = organization.members.nodes.map(
    // biome-ignore lint/suspicious/noExplicitAny: as it came.
    ({ spacesCount, spaces, user }: any) => [user.displayName, spacesCount, spaces.totalCount],
  );
  for (const [name, counted, listed] of counts) expect([name, counted]).toEqual([name, listed]);
  expect(new Set(counts.map(([, counted]: [string, number]) => counted)).size).toBeGreaterThan(3);
});

test('is for those who see the member', async () => {
  expect((await guest.get(path(guest.userId))).status).toBe(200);
  expect((await guest.get(path(reader.userId))).status).toBe(404);
  expect((await outsider.get(path(reader.userId))).status).toBe(404);
  expect((await admin.get(path(outsider.userId))).status).toBe(404);
});
