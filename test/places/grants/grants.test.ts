import { beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../client.ts';
import { contentOf } from '../../people/access/content.ts';
import { world } from '../../world.ts';

const { app, eventsBy, organizationId, otherOrganizationId, grant, ...people } = await world();
const { admin, creator, editor, reader, guest, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

let spaceId: string;
let collectionId: string;
let siteId: string;

beforeEach(async () => {
  collectionId = await content.collection();
  spaceId = await content.space({ parentId: collectionId });
  siteId = await content.site();
});

const roleOf = async (client: Client, id = spaceId) => {
  const field = id.slice(0, id.indexOf('_'));
  const found = await client.graphql(`{ found: ${field}(id: "${id}") { accessExplanation { role source } } }`);
  return found.found?.accessExplanation ?? null;
};

const eventsOf = async (kind: string) =>
  (await eventsBy(`kind=${kind}`)).filter(({ ids }) => Object.values(ids).includes(spaceId));

describe.each([
  ['spaces', 'Space', '/v1/spaces', () => spaceId],
  ['collections', 'Collection', '/v1/collections', () => collectionId],
  ['sites', 'Site', `/v1/orgs/${organizationId}/sites`, () => siteId],
] as const)('permissions on %s', (_plural, name, base, id) => {
  const path = () => `${base}/${id()}/permissions`;
  const target = () => ({ [`${name.toLowerCase()}Id`]: id() });

  test('a role is granted to users and teams, changed, and removed, over REST', async () => {
    const team = await content.team([guest.userId]);
    const { status, body } = await admin.restAs(`inviteTo${name}`, 'POST', path(), {
      users: [reader.userId],
      teams: [team],
      role: 'edit',
    });
    expect([status, body]).toEqual([204, '']);
    expect(await roleOf(reader, id())).toEqual({ role: 'EDIT', source: 'GRANT' });
    expect(await roleOf(guest, id())).toEqual({ role: 'EDIT', source: 'TEAM_GRANT' });

    const users = await admin.restAs(`listUserPermissionsIn${name}`, 'GET', `${path()}/users`);
    expect(users.body).toMatchObject({ count: 1, items: [{ permission: 'edit', user: { id: reader.userId } }] });
    const teams = await admin.get(`${path()}/teams`);
    expect(teams.body).toMatchObject({ count: 1, items: [{ permission: 'edit', team: { id: team } }] });

    expect((await admin.patch(`${path()}/users/${reader.userId}`, { role: 'comment' })).status).toBe(204);
    expect((await admin.patch(`${path()}/teams/${team}`, { role: null })).status).toBe(204);
    expect((await admin.patch(`${path()}/users/${reader.userId}`, {})).status).toBe(204);
    expect((await roleOf(reader, id()))?.role).toBe('COMMENT');
    expect(await roleOf(guest, id())).toBe(null);

    expect((await admin.delete(`${path()}/users/${reader.userId}`)).status).toBe(204);
    expect((await admin.delete(`${path()}/users/${reader.userId}`)).status).toBe(204);
    expect(await roleOf(reader, id())).toEqual({ role: 'READ', source: 'ORGANIZATION_ROLE' });
    expect((await admin.get(`${path()}/users`)).body.items).toEqual([]);
  });

  test('the same in the graph', async () => {
    const granted = { ...target(), userIds: [guest.userId], role: 'REVIEW' };
    const field = name.toLowerCase();
    expect(await admin.mutate('grantPermission', granted, `${field} { id }`)).toEqual({ [field]: { id: id() } });
    const read = () =>
      admin.graphql(`{ ${field}(id: "${id()}") {
        permissionGrants { totalCount nodes { role level inherited user { id } team { id } target { __typename id } } }
        effectivePermissions(role: REVIEW) { nodes { role user { id displayName } } }
      } }`);
    const reviewer = { role: 'REVIEW', user: { id: people.reviewer.userId, displayName: 'Reviewer' } };
    expect((await read())[field]).toEqual({
      permissionGrants: {
        totalCount: 1,
        nodes: [
          {
            role: 'REVIEW',
            level: field.toUpperCase(),
            inherited: false,
            user: { id: guest.userId },
            team: null,
            target: { __typename: name, id: id() },
          },
        ],
      },
      effectivePermissions: { nodes: [{ role: 'REVIEW', user: { id: guest.userId, displayName: 'Guest' } }, reviewer] },
    });
    const revoked = { ...target(), userId: guest.userId };
    const selection = `deletedId ${field} { id }`;
    const deletedId = guest.userId;
    expect(await admin.mutate('revokePermission', revoked, selection)).toEqual({ deletedId, [field]: { id: id() } });
    expect((await admin.mutate('revokePermission', revoked, selection)).deletedId).toBe(null);
    expect((await read())[field].effectivePermissions.nodes).toEqual([reviewer]);
  });

  test('only admins of the target grant, and read grants', async () => {
    await grant(id(), creator.userId, 'create');
    await grant(id(), guest.userId, 'admin');
    const body = { users: [creator.userId], role: 'admin' };
    const calls = (client: Client) => [
      client.post(path(), body),
      client.patch(`${path()}/users/${creator.userId}`, { role: 'admin' }),
      client.delete(`${path()}/users/${creator.userId}`),
      client.get(`${path()}/users`),
      client.get(`${path()}/teams`),
      client.get(`${path()}/aggregate`),
    ];
    const statuses = async (client: Client) => (await Promise.all(calls(client))).map(({ status }) => status);
    expect(new Set(await statuses(creator))).toEqual(new Set([403]));
    expect(new Set(await statuses(reader))).toEqual(new Set([403]));
    expect(new Set(await statuses(outsider))).toEqual(new Set([404]));
    expect(new Set(await statuses(anonymous))).toEqual(new Set([401]));
    await expect(
      creator.mutate('grantPermission', { ...target(), userIds: [creator.userId], role: 'ADMIN' }, '__typename'),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    // An admin of the target alone may, whatever the role in the organization.
    expect(await statuses(guest)).toEqual([204, 204, 204, 200, 200, 200]);
    const activeBy = async (client: Client) => (await client.get(`${path()}/aggregate?sort=lastSeenAt`)).status;
    expect([await activeBy(admin), await activeBy(guest)]).toEqual([200, 403]);
    const { body: shown } = await guest.get(`${path()}/aggregate`);
    expect(shown.items.map(({ lastSeenAt }: { lastSeenAt?: string }) => lastSeenAt)).not.toContainEqual(
      expect.any(String),
    );
  });

  test('grants to strangers, unknown teams and roles that do not exist are refused, and nothing is written', async () => {
    const foreignTeam = await contentOf(db, otherOrganizationId).team([]);
    const refused: [Record<string, unknown>, string][] = [
      [{ users: [reader.userId, outsider.userId], role: 'read' }, 'users.1'],
      [{ users: ['user_nobody'], role: 'read' }, 'users.0'],
      [{ teams: [foreignTeam], role: 'read' }, 'teams.0'],
      [{ users: [reader.userId], role: 'none' }, 'role'],
      [{ users: [reader.userId], role: 'owner' }, 'role'],
      [{ users: [reader.userId] }, 'role'],
      [{ users: [], role: 'read' }, 'users'],
      [{ role: 'read' }, 'users'],
      [{ users: Array(101).fill(reader.userId), role: 'read' }, 'users'],
    ];
    for (const [body, place] of refused) {
      const answer = await admin.post(path(), body);
      expect([place, answer.status, answer.body.error?.message]).toEqual([place, 400, expect.stringContaining(place)]);
    }
    expect((await admin.patch(`${path()}/users/${outsider.userId}`, { role: 'read' })).status).toBe(404);
    expect((await admin.patch(`${path()}/teams/${foreignTeam}`, { role: 'read' })).status).toBe(404);
    expect((await admin.patch(`${path()}/users/${reader.userId}`, { role: 'none' })).status).toBe(400);
    expect((await admin.get(`${path()}/users`)).body.items).toEqual([]);
  });
});

test('roles on sites are granted and explained in the graph', async () => {
  const siteId = await content.site({ spaces: [spaceId] });
  await admin.mutate('grantPermission', { siteId, userIds: [guest.userId], role: 'EDIT' }, '__typename');
  const read = async (client: Client, fields: string) =>
    (await client.graphql(`{ node(id: "${siteId}") { ... on Site { ${fields} } } }`)).node;
  expect(await read(admin, 'permissionGrants { nodes { role user { id } } }')).toEqual({
    permissionGrants: { nodes: [{ role: 'EDIT', user: { id: guest.userId } }] },
  });
  expect(await read(guest, 'accessExplanation { role source }')).toEqual({
    accessExplanation: { role: 'EDIT', source: 'GRANT' },
  });
  expect((await roleOf(guest))?.role).toBe('EDIT');
  await expect(read(reader, 'permissionGrants { nodes { role } }')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const revoked = { siteId, userId: guest.userId };
  await expect(outsider.mutate('revokePermission', revoked, 'deletedId')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await admin.mutate('revokePermission', revoked, 'deletedId')).toEqual({ deletedId: guest.userId });
  expect(await read(guest, 'title')).toBe(null);
});

test('the aggregate of a site says where each role comes from, with disabled members', async () => {
  const team = await content.team([guest.userId]);
  await db.updateTable('site').set({ defaultLevel: 'comment' }).where('id', '=', siteId).execute();
  await grant(siteId, creator.userId, 'review');
  await grant(siteId, team, 'edit');
  const disable = (isDisabled: boolean) =>
    db.updateTable('membership').set({ isDisabled }).where('userId', '=', editor.userId).execute();
  await disable(true);
  const path = `/v1/orgs/${organizationId}/sites/${siteId}/permissions/aggregate`;
  const { body } = await admin.restAs('listPermissionsAggregateInSite', 'GET', path);
  const found = (client: Client) =>
    body.items.find((item: { user: { id: string } }) => item.user.id === client.userId) ?? null;
  const site = { type: 'site', site: siteId };
  expect(found(admin)).toMatchObject({
    permission: 'admin',
    origin: { type: 'organization', organization: organizationId },
    disabled: false,
  });
  expect(found(creator)).toMatchObject({ permission: 'review', origin: { ...site, reason: 'member' } });
  expect(found(guest)).toMatchObject({ permission: 'edit', origin: { ...site, reason: 'team', team } });
  expect(found(reader)).toMatchObject({ permission: 'comment', origin: { ...site, reason: 'default' } });
  expect(found(editor)).toMatchObject({ permission: 'comment', disabled: true });
  const ids = async (query: string) =>
    (await admin.get(`${path}?${query}`)).body.items.map(({ user }: { user: { id: string } }) => user.id);
  expect(await ids(`team=${team}`)).toEqual([guest.userId]);
  expect(await ids(`team=${await contentOf(db, otherOrganizationId).team([guest.userId])}`)).toEqual([]);
  expect(await ids('search=GUE&role=edit')).toEqual([guest.userId]);
  expect(await ids('role=guest')).toEqual([]);
  await admin.delete(`/v1/orgs/${organizationId}/sites/${siteId}/permissions/teams/${team}`);
  expect(await ids('role=guest')).toEqual([guest.userId]);
  expect(await ids('sort=name&order=asc&limit=2')).toEqual([admin.userId, people.commenter.userId]);
  expect((await admin.get(`${path}?sort=size`)).body.error).toMatchObject({ issues: [{ path: ['sort'] }] });
  expect((await admin.get(`${path}?order=up`)).body.error).toMatchObject({ issues: [{ path: ['order'] }] });
  const { site: shown } = await admin.graphql(`{ site(id: "${siteId}") {
    effectivePermissions(orderBy: { field: NAME, direction: ASC }) {
      totalCount nodes { role source disabled user { id } team { id } target { id } }
    }
  } }`);
  const { nodes, totalCount } = shown.effectivePermissions;
  expect(totalCount).toBe(body.count - 2); // without the disabled editor, and the guest whose team lost its role
  expect(nodes).toContainEqual({
    role: 'REVIEW',
    source: 'GRANT',
    disabled: false,
    user: { id: creator.userId },
    team: null,
    target: { id: siteId },
  });
  expect(nodes[0]).toMatchObject({ source: 'ORGANIZATION_ADMIN', target: { id: organizationId } });
  await disable(false);
});

test('a site is only found in its organization', async () => {
  const foreign = await contentOf(db, otherOrganizationId).site();
  for (const path of [`orgs/${otherOrganizationId}/sites/${siteId}`, `orgs/${organizationId}/sites/${foreign}`]) {
    expect((await admin.get(`/v1/${path}/permissions/users`)).status).toBe(404);
    expect((await admin.post(`/v1/${path}/permissions`, { users: [guest.userId], role: 'read' })).status).toBe(404);
  }
});

test('an admin of a space does not learn which hidden collection gives others their role', async () => {
  const hidden = await content.collection();
  const space = await content.space({ parentId: hidden });
  await grant(hidden, reader.userId, 'edit');
  await grant(space, guest.userId, 'admin');
  const originsFor = async (client: Client) => {
    const { body } = await client.get(`/v1/spaces/${space}/permissions/aggregate?role=edit&search=reader`);
    return body.items.map(({ origin }: { origin?: object }) => origin ?? null);
  };
  expect(await originsFor(guest)).toEqual([null]);
  expect(await originsFor(admin)).toEqual([{ type: 'collection', collection: hidden, reason: 'member' }]);
});

test('members of the body that name another target are ignored', async () => {
  const other = await content.space();
  const body = {
    users: [guest.userId],
    role: 'edit',
    collectionId,
    spaceId: other,
    organizationId: otherOrganizationId,
  };
  expect((await admin.post(`/v1/spaces/${spaceId}/permissions`, body)).status).toBe(204);
  expect((await roleOf(guest))?.role).toBe('EDIT');
  expect(await roleOf(guest, other)).toBe(null);
  expect(await roleOf(guest, collectionId)).toBe(null);
});

test('exactly one target and one grantee are named in the graph', async () => {
  const grantee = { userIds: [guest.userId], role: 'READ' };
  for (const name of [{}, { spaceId, collectionId }]) {
    await expect(admin.mutate('grantPermission', { ...name, ...grantee }, '__typename')).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  }
  for (const name of [{}, { userId: guest.userId, teamId: 'team_any' }]) {
    await expect(admin.mutate('revokePermission', { spaceId, ...name }, '__typename')).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  }
});

test('inherited grants are listed after those of the space, from the nearest level outwards', async () => {
  const outer = await content.collection();
  const inner = await content.collection({ parentId: outer });
  const space = await content.space({ parentId: inner });
  const site = await content.site({ spaces: [space] });
  await grant(outer, guest.userId, 'read');
  await grant(inner, guest.userId, 'comment');
  await grant(site, guest.userId, 'edit');
  await grant(space, reader.userId, 'review');
  const list = async (args: string, client = admin) =>
    (
      await client.graphql(
        `{ space(id: "${space}") { permissionGrants${args} { nodes { role level inherited target { id } } } } }`,
      )
    ).space.permissionGrants.nodes;
  expect(await list('')).toEqual([
    { role: 'REVIEW', level: 'SPACE', inherited: false, target: { id: space } },
    { role: 'EDIT', level: 'SITE', inherited: true, target: { id: site } },
    { role: 'COMMENT', level: 'COLLECTION', inherited: true, target: { id: inner } },
    { role: 'READ', level: 'COLLECTION', inherited: true, target: { id: outer } },
  ]);
  expect(await list('(inherited: false)')).toHaveLength(1);
  expect(await list('(grantee: TEAM)')).toEqual([]);
  // An admin of the space alone does not see what is around it.
  await grant(space, guest.userId, 'admin');
  await db.deleteFrom('grant').where('granteeId', '=', guest.userId).where('targetId', '<>', space).execute();
  await grant(inner, reader.userId, 'comment');
  expect(await list('', guest)).toContainEqual({ role: 'COMMENT', level: 'COLLECTION', inherited: true, target: null });
});

test('the aggregate lists every member with access, with the role that decisions have', async () => {
  await db.updateTable('space').set({ defaultLevel: 'none' }).where('id', '=', spaceId).execute();
  await grant(spaceId, guest.userId, 'comment');
  const path = `/v1/spaces/${spaceId}/permissions/aggregate`;
  const { body } = await admin.restAs('listPermissionsAggregateInSpace', 'GET', path);
  const found = body.items.map((item: { permission: string; user: { id: string } }) => [item.user.id, item.permission]);
  expect(new Map(found)).toEqual(
    new Map([
      [admin.userId, 'admin'],
      [guest.userId, 'comment'],
    ]),
  );
  expect(body.count).toBe(2);
  expect((await admin.get(`${path}?role=comment`)).body.count).toBe(1);
  expect((await admin.get(`${path}?role=owner`)).status).toBe(400);
});

test('a grant ends with the membership, and does not count while the member is disabled', async () => {
  await grant(spaceId, editor.userId, 'admin');
  const membership = (isDisabled: boolean) =>
    db.updateTable('membership').set({ isDisabled }).where('userId', '=', editor.userId).execute();
  await membership(true);
  expect((await editor.get(`/v1/spaces/${spaceId}`)).status).toBe(404);
  const aggregate = await admin.get(`/v1/spaces/${spaceId}/permissions/aggregate?role=admin`);
  expect(aggregate.body.items.map(({ user }: { user: { id: string } }) => user.id)).not.toContain(editor.userId);
  await membership(false);
  expect((await editor.get(`/v1/spaces/${spaceId}`)).body.permissions.admin).toBe(true);
});

test('the path of an explanation has every level that was considered, and hides what the caller cannot see', async () => {
  const team = await content.team([guest.userId]);
  const site = await content.site({ spaces: [spaceId] });
  await grant(collectionId, team, 'comment');
  const explanation = async (client: Client) =>
    (
      await client.graphql(`{ space(id: "${spaceId}") { accessExplanation {
        role source path { level role source decides team { id } target { __typename id } }
      } } }`)
    ).space.accessExplanation;
  const nothing = { role: null, source: null, decides: false, team: null };
  expect(await explanation(guest)).toEqual({
    role: 'COMMENT',
    source: 'TEAM_GRANT',
    path: [
      { level: 'SPACE', ...nothing, target: { __typename: 'Space', id: spaceId } },
      { level: 'SITE', ...nothing, target: null },
      {
        level: 'COLLECTION',
        role: 'COMMENT',
        source: 'TEAM_GRANT',
        decides: true,
        team: { id: team },
        target: { __typename: 'Collection', id: collectionId },
      },
    ],
  });
  const read = await explanation(reader);
  expect(read).toMatchObject({ role: 'READ', source: 'ORGANIZATION_ROLE' });
  expect(read.path.map(({ level }: { level: string }) => level)).toEqual([
    'SPACE',
    'SITE',
    'COLLECTION',
    'ORGANIZATION',
  ]);
  expect(read.path[1].target).toEqual({ __typename: 'Site', id: site });
  expect(await explanation(admin)).toMatchObject({
    role: 'ADMIN',
    source: 'ORGANIZATION_ADMIN',
    path: [{ level: 'ORGANIZATION', decides: true, target: { id: organizationId } }],
  });
  await db.updateTable('site').set({ isPublished: true }).where('id', '=', site).execute();
  expect(await explanation(outsider)).toEqual({ role: null, source: 'PUBLISHED_SITE', path: [] });
});

test('each grant that changes is an event; one that does not change is none', async () => {
  const path = `/v1/spaces/${spaceId}/permissions`;
  for (const role of ['edit', 'edit', 'read']) await admin.post(path, { users: [reader.userId, guest.userId], role });
  const granted = await eventsOf('permission_granted');
  expect(granted).toHaveLength(4);
  expect(granted[0]?.ids).toEqual({ spaceId, userId: expect.any(String) });
  await admin.post(path, { users: [reader.userId], role: null });
  await admin.delete(`${path}/users/${reader.userId}`);
  expect(await eventsOf('permission_revoked')).toHaveLength(1);
});

test('a repetition with the same key answers with the target again', async () => {
  const headers = { 'idempotency-key': 'a grant once' };
  for (const name of ['grantPermission', 'revokePermission']) {
    const input = name === 'grantPermission' ? { userIds: [reader.userId], role: 'EDIT' } : { userId: reader.userId };
    const mutation = {
      query: `mutation ($input: ${name === 'grantPermission' ? 'GrantPermissionInput' : 'RevokePermissionInput'}!) { ${name}(input: $input) { space { id } } }`,
      variables: { input: { spaceId, ...input } },
    };
    const send = async () => (await admin.send('POST', '/graphql', mutation, headers)).body.data[name];
    const first = await send();
    expect([name, first]).toEqual([name, { space: { id: spaceId } }]);
    expect(await send()).toEqual(first);
  }
});

test('members of a team that the caller does not see are not listed by the filter', async () => {
  const teamId = await content.team([reader.userId, editor.userId]);
  await grant(spaceId, guest.userId, 'admin');
  const listed = async (client: Client) =>
    (await client.get(`/v1/spaces/${spaceId}/permissions/aggregate?team=${teamId}`)).body.items.length;
  expect(await listed(admin)).toBe(2);
  expect(await listed(guest)).toBe(0);
});

test('a deleted space has no permissions to grant or read', async () => {
  await admin.delete(`/v1/spaces/${spaceId}`);
  const path = `/v1/spaces/${spaceId}/permissions`;
  expect((await admin.post(path, { users: [reader.userId], role: 'read' })).status).toBe(404);
  expect((await admin.get(`${path}/users`)).status).toBe(404);
});
