import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import type { Client } from '../../client.ts';
import { world } from '../../world.ts';

const { app, admin, creator, editor, reader, guest, outsider, anonymous, organizationId, grant } = await world();

const all = `/v1/orgs/${organizationId}/teams`;
const make = async (title: string, members: Client[] = []) =>
  (await admin.put(all, { title, members: members.map(({ userId }) => userId) })).body;
const rolesIn = async (teamId: string) =>
  Object.fromEntries(
    (await admin.get(`${all}/${teamId}/members`)).body.items.map(
      // biome-ignore lint/suspicious/noExplicitAny: as it came.
      ({ organization, team }: any) => [organization.user.displayName, team.role],
    ),
  );

test('creates a team that the caller owns', async () => {
  const { status, body } = await admin.restAs('createOrganizationTeam', 'PUT', all, {
    title: 'Writers',
    members: [editor.userId, admin.userId, editor.userId],
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    object: 'team',
    title: 'Writers',
    members: 2,
    spaces: 0,
    permissions: { admin: true, view: true },
  });
  expect(await rolesIn(body.id)).toEqual({ Admin: 'owner', Editor: 'member' });
  const { team } = await admin.mutate(
    'createTeam',
    { organizationId, title: 'Readers', userIds: [reader.userId] },
    'team { id title membersCount }',
  );
  expect(team).toMatchObject({ title: 'Readers', membersCount: 2 });
  expect((await admin.get(`${all}/${team.id}`)).body.members).toBe(2);
});

test('rejects members of elsewhere, and names that are none', async () => {
  for (const members of [[outsider.userId], [newId('user')], ['nonsense']]) {
    const { status, body } = await admin.put(all, { title: 'Strangers', members });
    expect([status, body.error.issues[0].path]).toEqual([400, ['members', 0]]);
  }
  for (const title of ['', '  ', 'x'.repeat(65), undefined]) expect((await admin.put(all, { title })).status).toBe(400);
});

test('lists teams by name, and filters by title and by who can manage them', async () => {
  const team = await make('Zebra hunters', [creator]);
  await admin.put(`${all}/${team.id}/members/${creator.userId}`, { role: 'owner' });
  const titles = async (parameters = '') => {
    const { body } = await reader.restAs('listTeamsInOrganizationById', 'GET', `${all}${parameters}`);
    return body.items.map(({ title }: { title: string }) => title);
  };
  expect(await titles()).toEqual(['Readers', 'Writers', 'Zebra hunters']);
  expect(await titles('?title=EBRA')).toEqual(['Zebra hunters']);
  expect(await titles('?title=%25')).toEqual([]);
  expect(await titles(`?owner=${creator.userId}`)).toEqual(['Zebra hunters']);
  expect(await titles(`?owner=${reader.userId}`)).toEqual([]);
  expect(await titles(`?owner=${admin.userId}`)).toHaveLength(3);
  const { organization } = await reader.graphql(
    'query($id: ID!) { organization(id: $id) { teams(title: "zebra") { totalCount nodes { title permissions { admin view } } } } }',
    { id: organizationId },
  );
  expect(organization.teams).toEqual({
    totalCount: 1,
    nodes: [{ title: 'Zebra hunters', permissions: { admin: false, view: true } }],
  });
});

test('owners rename the team and change its members', async () => {
  const team = await make('Before', [creator, reader]);
  const one = `${all}/${team.id}`;
  expect((await creator.patch(one, { title: 'Mine' })).status).toBe(403);
  await admin.put(`${one}/members/${creator.userId}`, { role: 'owner' });
  expect((await creator.restAs('updateTeamInOrganizationById', 'PATCH', one, { title: 'After' })).body.title).toBe(
    'After',
  );
  expect((await creator.put(`${one}/members/${editor.userId}`)).status).toBe(204);
  expect((await creator.delete(`${one}/members/${reader.userId}`)).status).toBe(204);
  expect((await creator.delete(`${one}/members/${reader.userId}`)).status).toBe(204);
  expect(await rolesIn(team.id)).toEqual({ Admin: 'owner', Creator: 'owner', Editor: 'member' });
  // Adding again keeps the role.
  await creator.put(`${one}/members/${creator.userId}`);
  expect((await rolesIn(team.id)).Creator).toBe('owner');
  expect((await creator.put(`${one}/members/${outsider.userId}`)).status).toBe(400);
  expect((await creator.delete(one)).status).toBe(403);
});

test('changes many members at once, or none', async () => {
  const team = await make('Many', [creator]);
  const members = `${all}/${team.id}/members`;
  const set = await admin.restAs(
    'updateMembersInOrganizationTeam',
    'PUT',
    members,
    { add: [reader.userId], memberships: { [editor.userId]: { role: 'owner' } }, remove: [creator.userId] },
    { beyond: true },
  );
  expect(set.status).toBe(204);
  const expected = { Admin: 'owner', Reader: 'member', Editor: 'owner' };
  expect(await rolesIn(team.id)).toEqual(expected);
  const faults = [
    [{ add: [guest.userId, outsider.userId] }, ['add', 1]],
    [{ memberships: { [outsider.userId]: { role: 'owner' } } }, ['memberships', outsider.userId]],
    [{ memberships: { [reader.userId]: { role: 'boss' } } }, ['memberships', reader.userId, 'role']],
    [{ add: [guest.userId], remove: [guest.userId] }, ['remove', 0]],
    [{ remove: 'all' }, ['remove']],
  ] as const;
  for (const [body, path] of faults) {
    const { status, body: answer } = await admin.put(members, body);
    expect([status, answer.error.issues[0].path]).toEqual([400, path]);
  }
  expect(await rolesIn(team.id)).toEqual(expected);
  const input = { teamId: team.id, addUserIds: [guest.userId], removeUserIds: [reader.userId] };
  const { team: changed } = await admin.mutate(
    'setTeamMembers',
    input,
    'team { members { totalCount edges { role node { userId } } } }',
  );
  expect(changed.members.totalCount).toBe(3);
  expect(changed.members.edges).toContainEqual({ role: 'MEMBER', node: { userId: guest.userId } });
});

test('lists the teams of a member with the role, on both transports', async () => {
  await make('Guests welcome', [guest]);
  const path = `/v1/orgs/${organizationId}/members/${guest.userId}/teams`;
  const { body } = await reader.restAs('listTeamsForOrganizationMember', 'GET', `${path}?title=WELCOME`);
  expect(body).toMatchObject({ count: 1, items: [{ team: { title: 'Guests welcome' }, member: { role: 'member' } }] });
  const { organization } = await guest.graphql(
    'query($id: ID!, $userId: ID!) { organization(id: $id) { member(userId: $userId) { teamsCount teams(title: "welcome") { edges { role node { title members { edges { node { userId } } } } } } } } }',
    { id: organizationId, userId: guest.userId },
  );
  const [edge] = organization.member.teams.edges;
  expect(edge).toMatchObject({ role: 'MEMBER', node: { title: 'Guests welcome' } });
  // Guests only see themselves among the members.
  expect(edge.node.members.edges).toEqual([{ node: { userId: guest.userId } }]);
});

test('a role that was granted to a team ends with the team', async () => {
  const { body: space } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Secret', empty: true });
  await admin.patch(`/v1/spaces/${space.id}`, { defaultLevel: null });
  const team = await make('Keepers', [guest]);
  await grant(space.id, team.id, 'edit');
  expect((await admin.get(`${all}/${team.id}`)).body.spaces).toBe(1);
  expect((await guest.get(`/v1/spaces/${space.id}`)).body.permissions.edit).toBe(true);
  expect((await admin.restAs('removeTeamFromOrganizationById', 'DELETE', `${all}/${team.id}`)).status).toBe(204);
  expect((await guest.get(`/v1/spaces/${space.id}`)).status).toBe(404);
  expect((await admin.get(`${all}/${team.id}`)).status).toBe(404);
  expect((await admin.delete(`${all}/${team.id}`)).status).toBe(204);
  expect(await admin.mutate('deleteTeam', { teamId: team.id }, 'deletedId')).toEqual({ deletedId: null });
  const grants = await app.services.db.selectFrom('grant').where('granteeId', '=', team.id).selectAll().execute();
  expect(grants).toEqual([]);
});

test('is for admins, and hidden from outsiders', async () => {
  const team = await make('Hidden');
  const one = `${all}/${team.id}`;
  for (const [caller, status] of [
    [reader, 403],
    [outsider, 404],
    [anonymous, 401],
  ] as const) {
    expect((await caller.put(all, { title: 'Mine' })).status).toBe(status);
    expect((await caller.patch(one, { title: 'Mine' })).status).toBe(status);
    expect((await caller.delete(one)).status).toBe(status);
    expect((await caller.put(`${one}/members`, { add: [caller.userId] })).status).toBe(status);
    expect((await caller.put(`${one}/members/${caller.userId}`, {})).status).toBe(status);
    expect((await caller.delete(`${one}/members/${admin.userId}`)).status).toBe(status);
  }
  expect((await guest.get(all)).status).toBe(403);
  expect((await outsider.get(all)).status).toBe(404);
  expect((await outsider.get(`${one}/members`)).status).toBe(404);
  const { body: elsewhere } = await outsider.put(
    `/v1/orgs/${(await outsider.get('/v1/orgs')).body.items[0].id}/teams`,
    { title: 'Theirs' },
  );
  expect((await admin.get(`${all}/${elsewhere.id}`)).status).toBe(404);
  await expect(
    admin.mutate('updateTeam', { teamId: elsewhere.id, title: 'Ours' }, 'team { id }'),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await rolesIn(team.id)).toEqual({ Admin: 'owner' });
});
