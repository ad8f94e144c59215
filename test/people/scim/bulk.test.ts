import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { GROUP, PATCH, type ScimAnswer, ScimClient, scimOf, USER } from './scim-client.ts';

const { admin, organizationId, url } = await world();
const scim = await scimOf(admin, organizationId);

const REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

const bulk = (operations: unknown, more: object = {}): Promise<ScimAnswer> =>
  scim.post('/Bulk', { schemas: [REQUEST], Operations: operations, ...more });

const newUser = (userName: string, bulkId = userName) => ({
  method: 'POST',
  path: '/Users',
  bulkId,
  data: { schemas: [USER], userName },
});

const statuses = ({ body }: ScimAnswer) => body.Operations.map(({ status }: { status: string }) => status);

test('a bulk request makes, changes and deletes users and groups, with references to those that it has made', async () => {
  const answer = await bulk([
    newUser('bulk-ada@acme.example', 'ada'),
    {
      method: 'post',
      path: '/Groups',
      bulkId: 'team',
      data: { schemas: [GROUP], displayName: 'Bulk', members: [{ value: 'bulkId:ada' }] },
    },
    newUser('bulk-bob@acme.example', 'bob'),
    {
      method: 'PATCH',
      path: '/Groups/bulkId:team',
      data: { schemas: [PATCH], Operations: [{ op: 'add', path: 'members', value: [{ value: 'bulkId:bob' }] }] },
    },
    {
      method: 'PUT',
      path: '/Users/bulkId:bob',
      data: { schemas: [USER], userName: 'bulk-bob@acme.example', displayName: 'Bob' },
    },
    {
      method: 'PATCH',
      path: '/Users/bulkId:ada',
      data: { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] },
    },
  ]);
  expect([answer.status, answer.body.schemas]).toEqual([200, [RESPONSE]]);
  expect(statuses(answer)).toEqual(['201', '201', '201', '204', '200', '200']);
  const [ada, team, bob] = answer.body.Operations;
  expect(ada).toMatchObject({ method: 'POST', bulkId: 'ada', version: expect.stringMatching(/^W\//) });
  const path = ({ location }: { location: string }) => location.replace(/^.*(?=\/(?:Users|Groups)\/)/, '');
  expect((await scim.get(path(ada))).body).toMatchObject({ userName: 'bulk-ada@acme.example', active: false });
  const group = (await scim.get(path(team))).body;
  expect(group.members.map(({ value }: { value: string }) => `/Users/${value}`).toSorted()).toEqual(
    [path(ada), path(bob)].toSorted(),
  );
  const deleted = await bulk([
    { method: 'DELETE', path: path(team), version: 'W/"of before"' },
    { method: 'DELETE', path: path(team), version: group.meta.version },
    { method: 'DELETE', path: path(bob) },
  ]);
  expect(statuses(deleted)).toEqual(['412', '204', '204']);
  expect((await scim.get(path(bob))).status).toBe(404);
});

test('operations that fail are reported, and others are done unless the request wants to stop', async () => {
  const taken = newUser('bulk-taken@acme.example');
  const answer = await bulk([
    taken,
    { ...taken, bulkId: 'again' },
    { method: 'DELETE', path: '/Users/user_none' },
    { ...newUser('bulk-late@acme.example'), data: { schemas: [USER] } },
    { method: 'PATCH', path: '/Users/bulkId:again', data: { schemas: [PATCH], Operations: [] } },
    { method: 'PATCH', path: '/Users/bulkId:nobody', data: { schemas: [PATCH], Operations: [] } },
  ]);
  expect(statuses(answer)).toEqual(['201', '409', '404', '400', '409', '404']);
  expect(answer.body.Operations[1].response).toMatchObject({ scimType: 'uniqueness', status: '409' });
  const stopped = await bulk([{ ...taken, bulkId: 'once more' }, newUser('bulk-unmade@acme.example')], {
    failOnErrors: 1,
  });
  expect(statuses(stopped)).toEqual(['409']);
  expect(await scim.find('Users', 'userName eq "bulk-unmade@acme.example"')).toEqual([]);
});

test.each([
  ['no list', {}],
  ['another method', [{ method: 'GET', path: '/Users' }]],
  ['no bulkId for a new resource', [{ method: 'POST', path: '/Users', data: {} }]],
  ['the same bulkId twice', [newUser('a', 'x'), newUser('b', 'x')]],
  ['an id for a new resource', [{ method: 'POST', path: '/Users/user_none', bulkId: 'x', data: {} }]],
  ['no id for a change', [{ method: 'PUT', path: '/Users', data: {} }]],
  ['a path of something else', [{ method: 'DELETE', path: '/Schemas/x' }]],
  ['a path outside', [{ method: 'DELETE', path: '/Users/../Groups/x' }]],
])('a bulk request with %s is refused as a whole', async (_what, operations) => {
  const { status, body } = await bulk(operations);
  expect([status, body.scimType]).toEqual([400, expect.stringMatching(/^invalid(Syntax|Value)$/)]);
});

test('a bulk request is bounded', async () => {
  const many = Array.from({ length: 101 }, (_, index) => newUser(`bulk-${index}@acme.example`));
  expect((await bulk(many)).status).toBe(413);
  const depth = 20_000;
  const deep = `${'['.repeat(depth)}"bulkId:x"${']'.repeat(depth)}`;
  const operation = `{"method":"POST","path":"/Users","bulkId":"x","data":{"userName":"deep","emails":${deep}}}`;
  const { status } = await scim.send('POST', '/Bulk', `{"schemas":["${REQUEST}"],"Operations":[${operation}]}`);
  expect([200, 400, 413]).toContain(status);
  for (const failOnErrors of [0, 'one', -1]) expect((await bulk([], { failOnErrors })).status).toBe(400);
  expect((await bulk([])).body).toEqual({ schemas: [RESPONSE], Operations: [] });
});

test('a bulk request needs a token of the organization', async () => {
  const anonymous = new ScimClient(url, organizationId);
  expect((await anonymous.post('/Bulk', { schemas: [REQUEST], Operations: [] })).status).toBe(401);
});
