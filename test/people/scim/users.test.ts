import { expect, test } from 'vitest';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { ENTERPRISE, scimOf, USER } from './scim-client.ts';

const here = await world();
const { admin, reader, organizationId, app } = here;
const scim = await scimOf(admin, organizationId);

test('a user is made with its attributes, and read with its version and location', async () => {
  const { status, headers, body } = await scim.post('/Users', {
    schemas: [USER, ENTERPRISE],
    externalId: '701984',
    userName: 'Ada@acme.example',
    name: { familyName: 'Lovelace', givenName: 'Ada' },
    displayName: 'Ada Lovelace',
    emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
    [ENTERPRISE]: { department: 'Engines', manager: { value: '26118915' } },
    active: true,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body).toEqual({
    schemas: [USER, ENTERPRISE],
    id: expect.stringMatching(/^user_/),
    externalId: '701984',
    userName: 'Ada@acme.example',
    name: { familyName: 'Lovelace', givenName: 'Ada' },
    displayName: 'Ada Lovelace',
    emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
    active: true,
    [ENTERPRISE]: { department: 'Engines', manager: { value: '26118915' } },
    meta: {
      resourceType: 'User',
      created: expect.any(String),
      lastModified: expect.any(String),
      location: expect.any(String),
      version: headers.get('etag'),
    },
  });
  expect(headers.get('location')).toBe(body.meta.location);
  const path = new URL(body.meta.location).pathname.replace(`/scim/v2/${organizationId}`, '');
  const read = await scim.get(path);
  expect(read.status).toBe(200);
  expect(read.body).toEqual(body);
  expect((await scim.get(`/Users/${body.id}`, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);

  const member = await admin.get(`/v1/orgs/${organizationId}/members/${body.id}`);
  expect(member.body).toMatchObject({ email: 'ada@acme.example', sso: true, disabled: false, role: null });
  expect(member.body.user.displayName).toBe('Ada Lovelace');
  const account = await app.services.db.selectFrom('user').where('id', '=', body.id).selectAll().executeTakeFirst();
  expect(account?.email).toBeNull();
});

test('the members of the organization are users', async () => {
  const [found] = await scim.find('Users', 'userName eq "admin@acme.example"');
  expect(found).toMatchObject({ id: admin.userId, displayName: 'Admin', active: true });
});

test('a deactivated user is disabled, and comes back', async () => {
  const { id } = await scim.user('grace@acme.example');
  const off = await scim.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
  expect(off.status, JSON.stringify(off.body)).toBe(200);
  expect(off.body.active).toBe(false);
  expect((await admin.get(`/v1/orgs/${organizationId}/members/${id}`)).body.disabled).toBe(true);
  const on = await scim.patch(`/Users/${id}`, [{ op: 'replace', value: { active: true } }]);
  expect(on.body.active).toBe(true);
  expect((await scim.delete(`/Users/${id}`)).status).toBe(204);
  expect((await scim.get(`/Users/${id}`)).status).toBe(404);
});

test('groups are teams', async () => {
  const { id } = await scim.user('joan@acme.example');
  const group = await scim.group('Pilots', [id]);
  expect(group.members).toEqual([{ value: id, $ref: expect.any(String), display: 'joan@acme.example', type: 'User' }]);
  const left = await scim.patch(`/Groups/${group.id}`, [{ op: 'Remove', path: 'members', value: [{ value: id }] }]);
  expect(left.status, JSON.stringify(left.body)).toBe(204);
  expect((await scim.get(`/Groups/${group.id}`)).body.members).toBeUndefined();
});

test('the supported features, schemas and resource types are public to the token', async () => {
  for (const path of [
    '/ServiceProviderConfig',
    '/Schemas',
    '/ResourceTypes',
    `/Schemas/${USER}`,
    '/ResourceTypes/User',
  ]) {
    const answer = await scim.get(path);
    expect(answer.status, path + JSON.stringify(answer.body)).toBe(200);
  }
});

test('an administrator who disables a member has the last word, until the administrator enables it', async () => {
  const user = await scim.user('held@acme.example');
  const member = `/v1/orgs/${organizationId}/members/${user.id}`;
  const setActive = (active: boolean) =>
    scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: active }]);
  const disable = (disabled: boolean) => admin.patch(member, { disabled });
  expect((await disable(true)).status).toBe(200);
  const refused = await setActive(true);
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('has to enable it')]);
  expect(refused.body).not.toHaveProperty('scimType');
  const put = await scim.put(`/Users/${user.id}`, { schemas: [USER], userName: 'held@acme.example', active: true });
  expect(put.status).toBe(409);
  expect((await setActive(false)).status).toBe(200);
  expect((await setActive(true)).status).toBe(409);
  expect((await admin.get(member)).body.disabled).toBe(true);
  await disable(false);
  expect((await setActive(false)).body.active).toBe(false);
  expect((await setActive(true)).body.active).toBe(true);
  // Also of a member whom SCIM has disabled before.
  await setActive(false);
  await disable(true);
  expect((await setActive(true)).status).toBe(409);
});

test('a member whom SCIM does not manage yet is deactivated and activated', async () => {
  const setActive = (active: boolean) =>
    scim.patch(`/Users/${reader.userId}`, [{ op: 'replace', path: 'active', value: active }]);
  expect((await setActive(false)).body).toMatchObject({ active: false, userName: 'reader@acme.example' });
  expect((await setActive(true)).body).toMatchObject({ active: true, displayName: 'Reader' });
});

test('the time of the last change moves with access, and with names and members of groups', async () => {
  const user = await scim.user('moved@acme.example');
  const group = await scim.group('Moved');
  const { body: team } = await admin.put(`/v1/orgs/${organizationId}/teams`, { title: 'Not made by SCIM' });
  const member = `/v1/orgs/${organizationId}/members/${user.id}`;
  const ofGroup = `/v1/orgs/${organizationId}/teams/${group.id}`;
  const steps: [path: string, change: () => Promise<{ status: number }>][] = [
    [`/Users/${user.id}`, () => scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: false }])],
    [`/Users/${user.id}`, () => scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: true }])],
    [`/Users/${user.id}`, () => admin.patch(member, { disabled: true })],
    [
      `/Groups/${group.id}`,
      () => scim.patch(`/Groups/${group.id}`, [{ op: 'replace', path: 'displayName', value: 'M' }]),
    ],
    [`/Groups/${group.id}`, () => scim.patch(`/Groups/${group.id}`, [{ op: 'add', path: 'members', value: user.id }])],
    [`/Groups/${group.id}`, () => scim.patch(`/Groups/${group.id}`, [{ op: 'remove', path: 'members' }])],
    [`/Groups/${group.id}`, () => admin.put(`${ofGroup}/members/${user.id}`, {})],
    [`/Groups/${group.id}`, () => admin.delete(`${ofGroup}/members/${user.id}`)],
    [`/Groups/${team.id}`, () => scim.patch(`/Groups/${team.id}`, [{ op: 'add', path: 'members', value: user.id }])],
    [`/Users/${user.id}`, () => admin.patch(member, { disabled: false })],
    [`/Groups/${team.id}`, () => scim.delete(`/Users/${user.id}`)],
  ];
  for (const [path, change] of steps) {
    const before = (await scim.get(path)).body.meta;
    const { status } = await change();
    expect(status, path).toBeLessThan(300);
    const after = (await scim.get(path)).body.meta;
    expect(Date.parse(after.lastModified), `${path} ${change}`).toBeGreaterThan(Date.parse(before.lastModified));
    expect(after.version).not.toBe(before.version);
  }
});

test('what is left of a former user does not keep its name', async () => {
  const user = await scim.user('left@acme.example');
  await app.services.db
    .deleteFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', user.id)
    .execute();
  const renamed = await scim.user('other-left@acme.example');
  const taken = await scim.patch(`/Users/${renamed.id}`, [
    { op: 'replace', path: 'userName', value: 'LEFT@acme.example' },
  ]);
  expect(taken.body.userName).toBe('LEFT@acme.example');
  expect((await scim.delete(`/Users/${renamed.id}`)).status).toBe(204);
  expect((await scim.user('left@acme.example')).id).not.toBe(user.id);
});

test('a default role of admin is not given by SCIM', async () => {
  const path = `/v1/orgs/${organizationId}`;
  expect((await admin.patch(path, { defaultRole: 'admin' })).status).toBe(200);
  const user = await scim.user('not-an-admin@acme.example');
  expect((await admin.get(`${path}/members/${user.id}`)).body.role).toBe('create');
});

test('a user is not made of an admin, neither by the name nor by the address', async () => {
  for (const body of [
    { userName: 'Admin@acme.example' },
    { userName: 'somebody', emails: [{ value: 'admin@acme.example' }] },
  ]) {
    const answer = await scim.post('/Users', { schemas: [USER], ...body });
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('An administrator')]);
  }
});

test('a member whom an administrator has disabled is not deleted', async () => {
  const user = await scim.user('suspended@acme.example');
  const member = `/v1/orgs/${organizationId}/members/${user.id}`;
  await admin.patch(member, { disabled: true });
  expect((await scim.delete(`/Users/${user.id}`)).status).toBe(409);
  await admin.patch(member, { disabled: false });
  expect((await scim.delete(`/Users/${user.id}`)).status).toBe(204);
});

test('empty texts are no values, and marks of direction are left out of names', async () => {
  const given = { emails: [{ type: 'work', value: '' }], displayName: 'נועה\u200F כהן', title: '' };
  const user = await scim.user('noa@acme.example', given);
  expect(user).toMatchObject({ displayName: 'נועה כהן' });
  expect(user).not.toHaveProperty('title');
});

test('names in a value without a path have effect beside a filter that no value fulfils', async () => {
  const user = await scim.user('partial@acme.example');
  const value = { displayName: 'Partial', 'emails[type eq "work"].value': 'work@acme.example' };
  const { status, body } = await scim.patch(`/Users/${user.id}`, [{ op: 'Replace', value }]);
  expect([status, body]).toMatchObject([
    200,
    { displayName: 'Partial', emails: [{ type: 'work', value: 'work@acme.example' }] },
  ]);
});

test('a manager is found as Entra asks for it, and times that PostgreSQL does not have are refused', async () => {
  const user = await scim.user('managed@acme.example', { [ENTERPRISE]: { manager: { value: 'boss' } } });
  for (const path of ['manager', `${ENTERPRISE}:manager`])
    expect(await scim.find('Users', `id eq "${user.id}" and ${path} eq "boss"`)).toMatchObject([{ id: user.id }]);
  const filter = encodeURIComponent('meta.created gt "0000-01-01T00:00:00Z"');
  expect((await scim.get(`/Users?filter=${filter}`)).status).toBe(400);
});

test('the audit names those who join and leave a team, however many', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, (_, index) => scim.user(`named-${index}@acme.example`)));
  const group = await scim.group(
    'Named',
    users.map(({ id }) => id),
  );
  await settled(app.services.db);
  const { body } = await admin.get(
    `/v1/orgs/${organizationId}/audit-events?type=team_members_updated&resource=${group.id}&limit=100`,
  );
  const added = body.items.flatMap(({ changes }: { changes: { setting: string; to: string }[] }) =>
    changes.filter(({ setting }) => setting === 'addUserIds').flatMap(({ to }) => JSON.parse(to)),
  );
  expect(added.toSorted()).toEqual(users.map(({ id }) => id).toSorted());
});
