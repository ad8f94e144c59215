import { buffer } from 'node:stream/consumers';
import { GraphQLInt, GraphQLObjectType, GraphQLSchema } from 'graphql';
import pino from 'pino';
import { expect, test } from 'vitest';
import yazl from 'yazl';
import { ANONYMOUS } from '../../src/platform/access/actor.ts';
import type { Context } from '../../src/platform/context/context.ts';
import { accessThrough } from '../../src/platform/context/database-access.ts';
import { makeRunGraphQL } from '../../src/platform/graphql/request/run-graphql.ts';
import type { RestAnswer } from '../client.ts';
import { world } from '../world.ts';
import { intruder } from './processes.ts';

const slowStatements = await world({ STATEMENT_TIMEOUT_MS: '1000' });
const slowRequests = await world({ REQUEST_TIMEOUT_MS: '1000', DATABASE_POOL: '3' });
const impatient = await world({ STATEMENT_TIMEOUT_MS: '1000', REQUEST_TIMEOUT_MS: '1000' });

const rename = ({ admin, organizationId }: typeof slowRequests, title: string) =>
  admin.patch(`/v1/orgs/${organizationId}`, { title });
const titleOf = async ({ admin, organizationId }: typeof slowRequests) =>
  (await admin.get(`/v1/orgs/${organizationId}`)).body.title;

const RENAME =
  'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { title } } }';

function expectGivenUp({ status, headers, body }: RestAnswer, message: RegExp): void {
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('1');
  const requestId = headers.get('x-request-id');
  expect(body.error).toMatchObject({ code: 503, message: expect.stringMatching(message), requestId });
}

const LIMITS: [name: string, service: typeof slowRequests, message: RegExp][] = [
  // Behind a pooler, a statement ends with the time limit of its request.
  ...(process.env.TEST_POOLER === undefined
    ? [
        ['STATEMENT_TIMEOUT_MS', slowStatements, /database query took too long/] as [
          string,
          typeof slowRequests,
          RegExp,
        ],
      ]
    : []),
  ['REQUEST_TIMEOUT_MS', slowRequests, /took longer than 1000 ms/],
];

test.each(LIMITS)(
  '%s ends what waits for a lock, over both transports, and nothing is written',
  async (_setting, service, message) => {
    const { admin, organizationId, databaseUrl } = service;
    await using other = await intruder(databaseUrl);
    await other.lockOrganization(organizationId);
    expectGivenUp(await rename(service, 'Too late'), message);
    const graph = await admin.graphqlRaw(RENAME, { input: { organizationId, title: 'Too late' } });
    expectGivenUp(graph, message);
    expect(graph.body.errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
    // The lock is still held, but no statement waits for it.
    await expect.poll(() => other.waiting()).toBe(0);

    await other.release();
    expect(await titleOf(service)).toBe('Acme');
    expect((await rename(service, 'In time')).body.title).toBe('In time');
    await rename(service, 'Acme');
  },
);

test('a cancelled read is cancelled in the database', async () => {
  const { admin, organizationId, databaseUrl } = slowRequests;
  await using other = await intruder(databaseUrl);
  await other.lockTable('organization');
  expectGivenUp(await admin.get(`/v1/orgs/${organizationId}`), /took longer than 1000 ms/);
  const query = '{ viewer { organizations { nodes { title } } } }';
  const graph = await admin.graphqlRaw(query);
  expectGivenUp(graph, /took longer than 1000 ms/);
  await expect.poll(() => other.waiting()).toBe(0);
  await other.release();
});

test('cancellation does not affect others on the same connections', async () => {
  const { admin, organizationId, databaseUrl } = slowRequests;
  await using other = await intruder(databaseUrl);
  await other.lockOrganization(organizationId);
  for (let round = 0; round < 3; round++) {
    const givenUp = [rename(slowRequests, 'Too late'), rename(slowRequests, 'Too late')];
    const reads: number[] = [];
    let isOver = false;
    const statuses = Promise.all(givenUp).then((answers) => {
      isOver = true;
      return answers.map(({ status }) => status);
    });
    while (!isOver) reads.push((await admin.get('/v1/orgs')).status);
    expect(await statuses).toEqual([503, 503]);
    expect(new Set(reads)).toEqual(new Set([200]));
  }
  await other.release();
});

test('a committed mutation whose payload fails returns what it did', async () => {
  const cancelled = Object.assign(new Error('canceling statement'), { code: '57014' });
  const fields = {
    done: { type: GraphQLInt, resolve: () => 1 },
    late: { type: GraphQLInt, resolve: () => Promise.reject(cancelled) },
  };
  const run = makeRunGraphQL(
    new GraphQLSchema({
      query: new GraphQLObjectType({ name: 'Query', fields }),
      mutation: new GraphQLObjectType({ name: 'Mutation', fields }),
    }),
  );
  const log = pino({ level: 'silent' });
  const { services } = slowRequests.app;
  const ctx: Context = {
    actor: ANONYMOUS,
    ...accessThrough(services.em.fork()),
    services,
    requestId: 'req-1',
    log,
    inTransaction: false,
  };
  expect((await run({ query: 'mutation { done late }' }, ctx)).response).toMatchObject({
    data: { done: 1, late: null },
    errors: [{ path: ['late'], extensions: { code: 'SERVICE_UNAVAILABLE' } }],
  });
  for (const query of ['mutation { late }', '{ done late }']) {
    await expect(run({ query }, ctx)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  }
});

test('imports have their own time limit', async () => {
  const { admin, organizationId, databaseUrl } = impatient;
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Large' }, 'space { id }');
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from('# Welcome'), 'README.md');
  zip.end();
  const headers = { 'content-type': 'application/zip' };
  const bytes = await buffer(zip.outputStream);
  const { body } = await admin.send('POST', `/v1/orgs/${organizationId}/uploads`, bytes, headers);
  await using other = await intruder(databaseUrl);
  await other.lockSpace(space.id);
  const importing = admin.mutate(
    'importSpaceContent',
    { spaceId: space.id, source: 'ZIP', url: body.url },
    'space { title }',
  );
  // A worker starts for it first.
  await expect.poll(() => other.waiting()).toBe(1);
  // What others may take is over for one that came later.
  const later = await admin.patch(`/v1/spaces/${space.id}`, { title: 'Too late' });
  expect(later.status).toBe(503);
  await expect.poll(() => other.waiting()).toBe(1);
  await other.release();
  expect((await importing).space.title).toBe('Large');
});
