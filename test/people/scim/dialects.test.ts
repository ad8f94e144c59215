import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { ENTERPRISE, GROUP, scimOf, USER } from './scim-client.ts';

/* Requests as the provisioning agents of Entra and Okta send them, written anew from their documentation. */

const here = await world();
const { admin, organizationId } = here;
const scim = await scimOf(admin, organizationId);

const encoded = (filter: string) => encodeURIComponent(filter);

test('Entra tests the connection with a user that does not exist', async () => {
  const { status, body } = await scim.get(`/Users?filter=${encoded('userName eq "non-existing-6f0b0d6e"')}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    itemsPerPage: 0,
    startIndex: 1,
    Resources: [],
  });
});

test('a user and a group of Entra, from their creation to their end', async () => {
  const made = await scim.post('/Users', {
    schemas: [USER, ENTERPRISE],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Test_User_ab6490ee@testuser.example',
    active: true,
    displayName: 'lennay',
    emails: [{ primary: true, type: 'work', value: 'fay_corkery@testuser.example' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Lennay Keen', familyName: 'Keen', givenName: 'Lennay' },
    phoneNumbers: [{ type: 'work', value: '555-0100' }],
    addresses: [{ type: 'work', locality: 'Zurich' }],
    roles: [],
    [ENTERPRISE]: { department: 'bob' },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made.body;
  const [found] = await scim.find('Users', 'userName eq "test_user_ab6490ee@testuser.example"');
  expect(found).toMatchObject({ id, externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef' });
  expect(await scim.find('Users', 'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).toMatchObject([{ id }]);

  const patched = await scim.patch(`/Users/${id}`, [
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@testuser.example' },
    { op: 'Replace', path: 'name.familyName', value: 'Updated' },
    { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
    { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'user_of_the_manager' },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '555-0199' },
    { op: 'Replace', path: 'addresses[type eq "work"].formatted', value: 'Zurich' },
  ]);
  expect(patched.status, JSON.stringify(patched.body)).toBe(200);
  expect(patched.body).toMatchObject({
    emails: [{ primary: true, type: 'work', value: 'updated@testuser.example' }],
    name: { formatted: 'Lennay Keen', familyName: 'Updated', givenName: 'Lennay' },
    [ENTERPRISE]: { department: 'Sales', manager: { value: 'user_of_the_manager' } },
  });
  expect(patched.body).not.toHaveProperty('phoneNumbers');
  const member = await admin.get(`/v1/orgs/${organizationId}/members/${id}`);
  expect(member.body.email).toBe('updated@testuser.example');

  const off = await scim.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
  expect(off.body.active).toBe(false);
  const on = await scim.patch(`/Users/${id}`, [{ op: 'Add', path: 'active', value: 'True' }]);
  expect(on.body.active).toBe(true);
  const older = await scim.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: [{ value: 'False' }] }]);
  expect(older.body.active).toBe(false);
  const withoutPath = await scim.patch(`/Users/${id}`, [
    { op: 'Replace', value: { active: true, 'name.givenName': 'Anna', [`${ENTERPRISE}:costCenter`]: '7' } },
  ]);
  expect(withoutPath.body).toMatchObject({
    active: true,
    name: { givenName: 'Anna' },
    [ENTERPRISE]: { costCenter: '7', department: 'Sales' },
  });

  const group = await scim.post('/Groups', {
    schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'displayName',
    meta: { resourceType: 'Group' },
  });
  expect(group.status, JSON.stringify(group.body)).toBe(201);
  const path = `/Groups/${group.body.id}`;
  const list = await scim.get(`/Groups?excludedAttributes=members&filter=${encoded('displayName eq "displayName"')}`);
  expect(list.body.Resources).toMatchObject([
    { id: group.body.id, externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159' },
  ]);
  const steps: [operations: object[], members: string[]][] = [
    [[{ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }], [id]],
    [[{ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }], [id]],
    [[{ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }], []],
    [[{ op: 'Add', path: 'members', value: [{ value: id }, { value: admin.userId }] }], [id, admin.userId].sort()],
    [[{ op: 'Remove', path: `members[value eq "${id}"]` }], [admin.userId]],
    [[{ op: 'Replace', path: 'members', value: [{ value: id }] }], [id]],
    [[{ op: 'Remove', path: 'members' }], []],
  ];
  for (const [operations, members] of steps) {
    const answer = await scim.patch(path, operations);
    expect(answer.status, JSON.stringify(answer.body)).toBe(204);
    const { body } = await scim.get(path);
    const values = (body.members ?? []).map(({ value }: { value: string }) => value).sort();
    expect(values, JSON.stringify(operations)).toEqual(members);
  }
  const renamed = await scim.patch(path, [{ op: 'Replace', path: 'displayName', value: '1879db59-3bdf-4490-ad68' }]);
  expect(renamed.status).toBe(204);
  expect((await scim.get(`${path}?excludedAttributes=members`)).body.displayName).toBe('1879db59-3bdf-4490-ad68');
  expect((await scim.delete(path)).status).toBe(204);
  expect((await scim.delete(`/Users/${id}`)).status).toBe(204);
  expect((await scim.get(path)).status).toBe(404);
  expect(await scim.find('Users', 'userName eq "Test_User_ab6490ee@testuser.example"')).toEqual([]);
});

test('a user and a group of Okta, from their creation to their end', async () => {
  const before = await scim.get(
    `/Users?filter=${encoded('userName eq "test.user@okta.local"')}&startIndex=1&count=100`,
  );
  expect(before.body).toMatchObject({ totalResults: 0, startIndex: 1 });
  const made = await scim.post('/Users', {
    schemas: [USER],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(JSON.stringify(made.body)).not.toContain('1mz050nq');
  const { id } = made.body;
  const read = await scim.get(`/Users/${id}`);
  const put = await scim.put(`/Users/${id}`, {
    ...read.body,
    name: { givenName: 'Another', familyName: 'User' },
    displayName: 'Another User',
  });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
  expect(put.body).toMatchObject({ displayName: 'Another User', active: true, locale: 'en-US' });
  const member = await admin.get(`/v1/orgs/${organizationId}/members/${id}`);
  expect(member.body.user.displayName).toBe('Another User');

  const off = await scim.patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }]);
  expect(off).toMatchObject({ status: 200, body: { active: false } });
  const back = await scim.put(`/Users/${id}`, { ...put.body, active: true });
  expect(back.body.active).toBe(true);

  const group = await scim.post('/Groups', { schemas: [GROUP], displayName: 'Test SCIMv2', members: [] });
  expect(group.status).toBe(201);
  const path = `/Groups/${group.body.id}`;
  expect(await scim.find('Groups', 'displayName eq "Test SCIMv2"')).toMatchObject([{ id: group.body.id }]);
  const added = await scim.patch(path, [
    { op: 'add', path: 'members', value: [{ value: id, display: 'test.user@okta.local' }] },
  ]);
  expect(added.status).toBe(204);
  expect((await scim.get(`/Users/${id}`)).body.groups).toEqual([
    { value: group.body.id, $ref: group.body.meta.location, display: 'Test SCIMv2', type: 'direct' },
  ]);
  const removed = await scim.patch(path, [{ op: 'remove', path: `members[value eq "${id}"]` }]);
  expect(removed.status).toBe(204);
  const renamed = await scim.patch(path, [
    { op: 'replace', value: { id: group.body.id, displayName: 'Test SCIMv2 renamed' } },
  ]);
  expect(renamed.status).toBe(204);
  const replaced = await scim.put(path, {
    schemas: [GROUP],
    id: group.body.id,
    displayName: 'Test SCIMv2',
    members: [{ value: id, display: 'test.user@okta.local' }],
  });
  expect(replaced.body).toMatchObject({ displayName: 'Test SCIMv2', members: [{ value: id }] });
  expect((await scim.delete(path)).status).toBe(204);
  const gone = await scim.get(path);
  expect(gone.status).toBe(404);
  expect((await scim.get(`/Users/${id}`)).body).not.toHaveProperty('groups');
});

test('bodies are taken as JSON of either media type, and of no other', async () => {
  const body = { schemas: [USER], userName: 'either@acme.example' };
  const json = await scim.send('POST', '/Users', body, { 'content-type': 'application/json' });
  expect(json.status).toBe(201);
  const both = await scim.send(
    'POST',
    '/Users',
    { ...body, userName: 'other@acme.example' },
    {
      'content-type': 'application/scim+json; charset=utf-8',
    },
  );
  expect(both.status).toBe(201);
  const form = await scim.send('POST', '/Users', 'userName=x', { 'content-type': 'application/x-www-form-urlencoded' });
  expect(form.status).toBe(415);
  const rest = await admin.send(
    'PUT',
    `/v1/orgs/${organizationId}/teams`,
    { title: 'No' },
    {
      'content-type': 'application/scim+json',
    },
  );
  expect(rest.status).toBe(415);
});
