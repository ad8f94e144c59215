import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';

const { app, admin, creator, reader, guest, outsider, anonymous, organizationId } = await world();

const path = `/v1/orgs/${organizationId}/members`;

const query = `query($id: ID!, $search: String, $role: MemberRoleFilter, $orderBy: MemberOrder, $first: Int, $after: String) {
  organization(id: $id) {
    members(first: $first, after: $after, search: $search, role: $role, orderBy: $orderBy) {
      totalCount pageInfo { hasNextPage endCursor }
      nodes { id userId role disabled sso joinedAt lastSeenAt spacesCount teamsCount user { displayName email } }
    }
  }
}`;

const listed = async (caller: typeof admin, variables: Record<string, unknown> = {}) =>
  (await caller.graphql(query, { id: organizationId, ...variables })).organization.members;

const namesIn = (members: { nodes: { user: { displayName: string } }[] }) =>
  members.nodes.map(({ user }) => user.displayName);

test('lists all members on both transports, the latest to join first', async () => {
  const members = await listed(reader);
  expect(namesIn(members)).toEqual(['Guest', 'Reader', 'Commenter', 'Editor', 'Reviewer', 'Creator', 'Admin']);
  expect(members.totalCount).toBe(7);
  expect(members.nodes[0]).toMatchObject({ role: null, user: { email: 'guest@acme.example' } });
  const { body } = await reader.restAs('listMembersInOrganizationById', 'GET', path);
  expect(body.count).toBe(7);
  expect(body.items[0]).toMatchObject({ object: 'member', id: guest.userId, role: null, disabled: false, sso: false });
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual(
    members.nodes.map(({ userId }: { userId: string }) => userId),
  );
});

test('pages do not overlap', async () => {
  const first = await listed(reader, { first: 4 });
  const second = await listed(reader, { first: 4, after: first.pageInfo.endCursor });
  expect(new Set([...namesIn(first), ...namesIn(second)]).size).toBe(7);
  expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
});

test('filters by role and by text in names and email addresses', async () => {
  expect(namesIn(await listed(reader, { role: 'ADMIN' }))).toEqual(['Admin']);
  expect(namesIn(await listed(reader, { role: 'GUEST' }))).toEqual(['Guest']);
  expect(namesIn(await listed(reader, { search: 'CREAT' }))).toEqual(['Creator']);
  expect(namesIn(await listed(reader, { search: 'editor@acme' }))).toEqual(['Editor']);
  expect(namesIn(await listed(reader, { search: '%' }))).toEqual([]);
  const { body } = await reader.get(`${path}?role=read&search=READER@`);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual([reader.userId]);
});

test('sorts by activity, without members who were never active', async () => {
  await creator.mutate('pingOrganization', { organizationId }, 'member { id }');
  const orderBy = { field: 'LAST_SEEN_AT', direction: 'ASC' };
  const members = await listed(reader, { orderBy });
  expect(namesIn(members)).toEqual(['Creator']);
  expect(members.totalCount).toBe(1);
  const { body } = await reader.get(`${path}?sort=lastSeenAt&order=asc`);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual([creator.userId]);
  const ascending = (await reader.get(`${path}?order=asc`)).body.items;
  expect(ascending[0].id).toBe(admin.userId);
});

test.each(['order=up', 'sort=name', 'role=owner', `search=${'x'.repeat(257)}`])('rejects %s', async (parameters) => {
  const { status, body } = await reader.get(`${path}?${parameters}`);
  expect(status).toBe(400);
  expect(body.error.issues[0].path).toEqual([parameters.split('=')[0]]);
});

test('guests only see themselves, and outsiders nothing', async () => {
  expect((await guest.get(path)).status).toBe(403);
  await expect(listed(guest)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await guest.get(`${path}/${guest.userId}`)).body).toMatchObject({ id: guest.userId, role: null });
  expect((await guest.get(`${path}/${reader.userId}`)).status).toBe(404);
  expect((await outsider.get(path)).status).toBe(404);
  expect((await outsider.get(`${path}/${reader.userId}`)).status).toBe(404);
  expect((await anonymous.get(path)).status).toBe(401);
});

test('gets one member on both transports', async () => {
  const { body } = await reader.restAs('getMemberInOrganizationById', 'GET', `${path}/${admin.userId}`);
  expect(body).toMatchObject({ id: admin.userId, role: 'admin', user: { displayName: 'Admin' } });
  const find =
    'query($id: ID!, $userId: ID!) { organization(id: $id) { member(userId: $userId) { role user { id } } } }';
  const { organization } = await reader.graphql(find, { id: organizationId, userId: admin.userId });
  expect(organization.member).toEqual({ role: 'ADMIN', user: { id: admin.userId } });
  const absent = await reader.graphql(find, { id: organizationId, userId: outsider.userId });
  expect(absent.organization.member).toBeNull();
  expect((await reader.get(`${path}/${outsider.userId}`)).status).toBe(404);
});

test('needs as many statements for 100 members with teams and counts as for 7', async () => {
  const select = `query($id: ID!) { organization(id: $id) { members(first: 100) {
    nodes { spacesCount teamsCount user { email } teams(first: 10) { totalCount edges { role node { title } } } spaces(first: 5) { edges { permission node { title } } } }
  } } }`;
  const few = await admin.graphqlRaw(select, { id: organizationId });
  expect(few.body.errors).toBeUndefined();
  const { db } = app.services;
  const users = Array.from({ length: 93 }, (_, at) => ({
    id: newId('user'),
    email: `m${at}@acme.example`,
    displayName: `M${at}`,
  }));
  await db.insertInto('user').values(users).execute();
  const role = 'read' as const;
  await db
    .insertInto('membership')
    .values(users.map(({ id: userId }) => ({ id: newId('member'), organizationId, userId, role })))
    .execute();
  const many = await admin.graphqlRaw(select, { id: organizationId });
  expect(many.body.data.organization.members.nodes).toHaveLength(100);
  expect(statementsOf(many)).toBeLessThanOrEqual(statementsOf(few));
});

test('an account that was added by its address is shown and found by that address only, until the person agrees', async () => {
  const { body: made } = await admin.post('/v1/orgs', { title: 'Curious' });
  const added = await admin.post(`/v1/orgs/${made.id}/invites`, { emails: ['outsider@globex.example'], role: 'read' });
  expect(added.body.users).toEqual([outsider.userId]);
  const user = () => app.services.db.updateTable('user').where('id', '=', outsider.userId);
  await user().set({ email: 'private@home.example' }).execute();
  onTestFinished(async () => void (await user().set({ email: 'outsider@globex.example' }).execute()));
  const document = `query ($id: ID!, $search: String, $user: ID!) {
    organization(id: $id) { members(search: $search) { nodes { userId email } } }
    node(id: $user) { ... on User { email } } }`;
  const { body: space } = await admin.post(`/v1/orgs/${made.id}/spaces`, { title: 'Docs', defaultLevel: 'read' });
  const seenBy = async (search: string) => {
    const { organization, node } = await admin.graphql(document, { id: made.id, search, user: outsider.userId });
    const permitted = await admin.get(
      `/v1/spaces/${space.id}/permissions/aggregate?search=${encodeURIComponent(search)}`,
    );
    return [organization.members.nodes[0]?.email, permitted.body.items.length, node.email];
  };
  expect(await seenBy('outsider@globex')).toEqual(['outsider@globex.example', 1, 'outsider@globex.example']);
  expect(await seenBy('private@home')).toEqual([undefined, 0, 'outsider@globex.example']);
  expect((await outsider.post(`/v1/orgs/${made.id}/ping`)).status).toBeLessThan(300);
  expect(await seenBy('private@home')).toEqual(['outsider@globex.example', 1, 'private@home.example']);
});
