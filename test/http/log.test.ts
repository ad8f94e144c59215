import { Writable } from 'node:stream';
import { sql } from 'kysely';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { world } from '../world.ts';

const lines: string[] = [];
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(...String(chunk).trim().split('\n'));
    done();
  },
});
const { admin, anonymous, app, organizationId, otherOrganizationId } = await world(
  {},
  { log: pino({ level: 'trace' }, stream) },
);

/** For machines that have much else to do. */
const PATIENCE = { timeout: 10_000 };

beforeEach(() => {
  lines.length = 0;
});

const logged = () => lines.map((line) => JSON.parse(line));

test('each request is one line with its id, route, status and time', async () => {
  const { headers } = await admin.get(`/v1/orgs/${organizationId}?secret=of-an-address`);
  await expect.poll(() => lines.length, PATIENCE).toBe(1);
  expect(logged()).toMatchObject([
    {
      level: 30,
      msg: 'request',
      method: 'GET',
      route: '/v1/orgs/:organizationId',
      operation: 'getOrganizationById',
      userId: admin.userId,
      status: 200,
    },
  ]);
  expect(logged()[0]).toMatchObject({ requestId: headers.get('x-request-id'), milliseconds: expect.any(Number) });
});

test('a GraphQL request is logged with its operation name and error codes', async () => {
  await admin.graphql('query Mine { viewer { id } }');
  const update = 'updateOrganization(input: { organizationId: "no", title: "None" }) { organization { id } }';
  await admin.graphqlRaw(`mutation Named { one: ${update} two: ${update} }`);
  await admin.graphqlRaw('mutation Wrong { createOrganization(input: { title: "" }) { organization { id } } }');
  await admin.graphqlRaw('{ broken }');
  await anonymous.graphqlRaw(`query ${'N'.repeat(500)} { viewer { id } }`);
  await expect.poll(() => lines.length, PATIENCE).toBe(5);
  const told = logged().map(({ operation, userId, route, status, errors }) => ({
    operation,
    userId,
    route,
    status,
    errors,
  }));
  const one = { userId: admin.userId, route: '/graphql', status: 200 };
  expect(told).toEqual([
    { ...one, operation: 'Mine' },
    { ...one, operation: 'Named', errors: ['NOT_FOUND'] },
    { ...one, operation: 'Wrong', errors: ['BAD_USER_INPUT'] },
    { ...one, errors: ['GRAPHQL_VALIDATION_FAILED'] },
    { route: '/graphql', status: 200, operation: 'N'.repeat(100), errors: ['UNAUTHENTICATED'] },
  ]);
});

test('a 404 is logged with its path, and an API error with its code', async () => {
  await anonymous.get(`/nothing/${'x'.repeat(500)}?secret=of-an-address`);
  await admin.patch(`/v1/orgs/${otherOrganizationId}`, { title: 'Mine' });
  await expect.poll(() => lines.length, PATIENCE).toBe(2);
  expect(logged()).toMatchObject([
    { route: null, path: `/nothing/${'x'.repeat(191)}`, status: 404, errors: ['NOT_FOUND'] },
    { route: '/v1/orgs/:organizationId', userId: admin.userId, status: 404, errors: ['NOT_FOUND'] },
  ]);
});

test('neither tokens, addresses nor bodies are logged, at any level', async () => {
  const secrets = ['of-an-address', 'Text of a document', 'stemma_misspelled', String(admin.token)];
  await admin.get('/v1/user?key=of-an-address');
  await admin.get('/v1/nothing?key=of-an-address');
  await admin.get('/v1/orgs/%ff?of-an-address');
  await admin.send('GET', '/v1/user', undefined, { authorization: 'Bearer stemma_misspelled' });
  await admin.post('/v1/orgs', { title: 'Text of a document'.repeat(100) });
  await admin.send('POST', '/v1/orgs', 'Text of a document', { 'content-type': 'application/json' });
  await admin.graphqlRaw('{ node(id: "Text of a document") { id } broken }');
  await admin.mutate('createOrganization', { title: 'Text of a document' }, 'organization { id }');
  await expect.poll(() => lines.length, PATIENCE).toBe(8);
  for (const secret of secrets) expect(lines.join('\n')).not.toContain(secret);
});

test('an internal error is logged in full under the request id, without row values', async () => {
  await sql`alter table organization add constraint no_such_title check (title <> 'Text of another document')`.execute(
    app.services.db,
  );
  const rest = await admin.post('/v1/orgs', { title: 'Text of another document' });
  expect(rest.status).toBe(500);
  const graph = await admin.graphqlRaw(
    'mutation Fails { createOrganization(input: { title: "Text of another document" }) { organization { id } } }',
  );
  expect(graph.body.errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);

  const failures = () => logged().filter(({ level }) => level === 50);
  await expect.poll(() => failures().length, PATIENCE).toBe(2);
  const ids = [rest.body.error.requestId, graph.body.errors[0].extensions.requestId];
  expect(failures().map(({ requestId }) => requestId)).toEqual(ids);
  expect(failures()).toMatchObject([
    { method: 'POST', route: '/v1/orgs', operation: 'createOrganization', userId: admin.userId, status: 500 },
    {
      method: 'POST',
      route: '/graphql',
      operation: 'Fails',
      userId: admin.userId,
      status: 500,
      path: ['createOrganization'],
    },
  ]);
  expect(failures()[0].err).toMatchObject({
    message: expect.stringMatching(/no_such_title/),
    stack: expect.any(String),
    code: '23514',
  });
  expect(lines.join('\n')).not.toContain('Text of another document');
});
