import { expect, test } from 'vitest';
import { spaceOfLongPages } from '../publishing/reader-world.ts';
import { world } from '../world.ts';
import { intruder } from './processes.ts';

const service = await world();
const { admin, url, organizationId, databaseUrl } = service;

/** Sends a request and leaves as soon as it waits in the database. */
async function leave(other: Awaited<ReturnType<typeof intruder>>, method: string, path: string, body?: unknown) {
  const leaving = new AbortController();
  const request = fetch(`${url}${path}`, {
    method,
    signal: leaving.signal,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: Error) => error.name);
  await expect.poll(() => other.waiting()).toBe(1);
  leaving.abort();
  expect(await request).toBe('AbortError');
}

test.each([
  ['REST', 'GET', `/v1/orgs/${organizationId}`, undefined],
  ['the graph', 'POST', '/graphql', { query: `{ organization(id: "${organizationId}") { title } }` }],
])('what %s only reads is cancelled when its client leaves', async (_transport, method, path, body) => {
  await using other = await intruder(databaseUrl);
  await other.lockTable('organization');
  await leave(other, method, path, body);
  await expect.poll(() => other.waiting()).toBe(0);
  await other.release();
});

test('a write completes although its client disconnects', async () => {
  await using other = await intruder(databaseUrl);
  await other.lockOrganization(organizationId);
  await leave(other, 'PATCH', `/v1/orgs/${organizationId}`, { title: 'Without waiting' });
  expect(await other.waiting()).toBe(1);
  await other.release();
  const title = async () => (await admin.get(`/v1/orgs/${organizationId}`)).body.title;
  await expect.poll(title).toBe('Without waiting');
});

test('a long response to a client that has left takes no memory', async () => {
  await spaceOfLongPages(admin, organizationId, 1);
  const page = 'revision { page(path: "page-0") { ... on DocumentPage { markdown } } }';
  const query = `mutation ($id: ID!) {
    updateOrganization(input: { organizationId: $id, title: "Afterwards" }) {
      organization { spaces(first: 5) { nodes { ${page} } } }
    }
  }`;
  const completed = async () =>
    Number(/^stemma_graphql_operation_duration_seconds_count\{.*"ok"\} (\d+)$/m.exec(await metrics())?.[1]);
  const before = await completed();
  await using other = await intruder(databaseUrl);
  await other.lockOrganization(organizationId);
  await leave(other, 'POST', '/graphql', { query, variables: { id: organizationId } });
  await other.release();
  await expect.poll(completed).toBe(before + 1);
  expect(await metrics()).toContain('stemma_held_bytes{what="answers",share="all"} 0\n');
});

const metrics = async (): Promise<string> => (await admin.get('/metrics')).body;
