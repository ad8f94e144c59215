import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { ENTERPRISE, scimOf, USER } from './scim-client.ts';

const here = await world();
const { admin, organizationId, url, app } = here;
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
  const location = `${url}/scim/v2/${organizationId}/Users/${body.id}`;
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
      location: expect.stringContaining(`/scim/v2/${organizationId}/Users/${body.id}`),
      version: headers.get('etag'),
    },
  });
  expect(headers.get('location')).toBe(body.meta.location);
  expect(location).toContain(body.id);
  const read = await scim.get(`/Users/${body.id}`);
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
