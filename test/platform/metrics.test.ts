import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { documentIdOf } from '../../src/platform/graphql/request/trusted-documents.ts';
import { Client } from '../client.ts';
import { spaceOfLongPages } from '../publishing/reader-world.ts';
import { sendRaw } from '../raw-requests.ts';
import { world } from '../world.ts';

const TOKEN = 'a-token-for-Prometheus-alone';
const TRUSTED = 'query SpaceTitles { viewer { organizations(first: 1) { nodes { title } } } }';

const directory = mkdtempSync(join(tmpdir(), 'stemma-metrics-'));
const manifest = join(directory, 'documents.json');
writeFileSync(manifest, JSON.stringify({ [documentIdOf(TRUSTED)]: TRUSTED }));
afterAll(() => rm(directory, { recursive: true }));

const { url, admin, reader, anonymous, organizationId, app } = await world({
  METRICS_TOKEN: TOKEN,
  TRUSTED_DOCUMENTS: manifest,
});
const prometheus = new Client(url, TOKEN);

/** The samples whose line begins so, with their values. */
async function samples(start: string): Promise<Record<string, number>> {
  const { body } = await prometheus.get('/metrics');
  const lines = String(body)
    .split('\n')
    .filter((line) => line.startsWith(start));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

const counted = async (name: string, label: string) =>
  Object.entries(await samples(`${name}_count`)).find(([key]) => key.includes(label))?.[1] ?? 0;

test('require an operator or the configured token', async () => {
  expect((await prometheus.get('/metrics')).status).toBe(200);
  const { status, headers, body } = await admin.get('/metrics');
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    expect.stringContaining('text/plain; version=0.0.4'),
    'no-store',
  ]);
  expect(body).toContain('# TYPE stemma_http_request_duration_seconds histogram');
  expect((await reader.get('/metrics')).status).toBe(403);
  expect((await anonymous.get('/metrics')).status).toBe(401);
  expect((await new Client(url, `${TOKEN}x`).get('/metrics')).status).toBe(401);
  expect((await prometheus.get('/v1/orgs')).status).toBe(401);
});

test('counts requests by route pattern', async () => {
  const pattern = 'method="GET",route="/v1/orgs/:organizationId",status="404"';
  const before = await counted('stemma_http_request_duration_seconds', pattern);
  await admin.get('/v1/orgs/org_made-up');
  await admin.get('/v1/orgs/org_made-up-too');
  await admin.get('/nowhere/made-up');
  expect(await counted('stemma_http_request_duration_seconds', pattern)).toBe(before + 2);
  expect(await counted('stemma_http_request_duration_seconds', 'route="other",status="404"')).toBeGreaterThan(0);
  expect((await prometheus.get('/metrics')).body).not.toContain('made-up');
});

test('names the operations of trusted documents, and no other', async () => {
  const count = (operation: string, result = 'ok') =>
    counted('stemma_graphql_operation_duration_seconds', `operation="${operation}",result="${result}"`);
  const [other, failed] = [await count('other'), await count('other', 'error')];
  await reader.graphql(TRUSTED);
  await reader.send('POST', '/graphql', { documentId: documentIdOf(TRUSTED) });
  await reader.send('POST', '/graphql', { documentId: documentIdOf(TRUSTED), operationName: 'SpaceTitles' });
  await reader.graphql('query MadeUp { viewer { id } }');
  await reader.send('POST', '/graphql', { query: '{ viewer { id } }', operationName: 'MadeUp' });
  expect([await count('SpaceTitles'), await count('other'), await count('other', 'error')]).toEqual([
    3,
    other + 1,
    failed + 1,
  ]);
  expect((await prometheus.get('/metrics')).body).not.toContain('MadeUp');
});

test('counts and times statements, and those that fail', async () => {
  const of = async (result: string) =>
    (await samples('stemma_sql_statements_total'))[`stemma_sql_statements_total{result="${result}"}`] ?? 0;
  const before = await of('ok');
  await admin.get(`/v1/orgs/${organizationId}`);
  expect(await of('ok')).toBeGreaterThan(before);
  const failed = await of('error');
  const { db } = app.services;
  await expect(db.selectFrom('space').select('id').where('deletedAt', '=', 'no time').execute()).rejects.toThrow();
  expect(await of('error')).toBe(failed + 1);
  const { stemma_sql_statement_duration_seconds_count: timed, ...all } = await samples('stemma_sql_statement');
  const {
    'stemma_sql_statements_total{result="ok"}': good = 0,
    'stemma_sql_statements_total{result="error"}': bad = 0,
  } = all;
  expect(timed).toBe(good + bad);
});

test('reports the memory held by bodies and responses', async () => {
  const held = () => samples('stemma_held_bytes{');
  const nothing = Object.fromEntries(
    ['bodies', 'answers'].flatMap((what) =>
      ['all', 'anonymous'].map((share) => [`stemma_held_bytes{what="${what}",share="${share}"}`, 0]),
    ),
  );
  await expect.poll(held).toEqual(nothing);
  const body = ' '.repeat(30_000);
  const stalled = sendRaw(url, { path: '/graphql', headers: { 'content-length': '60000' }, body });
  await expect
    .poll(async () => (await held())['stemma_held_bytes{what="bodies",share="anonymous"}'])
    .toBeGreaterThanOrEqual(body.length);
  stalled.destroy();
  await expect.poll(held).toEqual(nothing);

  // A response of 7.6 MB: more than a connection buffers.
  const spaceId = await spaceOfLongPages(admin, organizationId, 4);
  const texts = Array.from({ length: 10 }, (_, index) => `t${index}: markdown`).join(' ');
  const query = `{ space(id: "${spaceId}") { revision { pages { ... on DocumentPage { ${texts} } } } } }`;
  const headers = { authorization: `Bearer ${admin.token}` };
  const unread = sendRaw(url, { path: '/graphql', headers, body: JSON.stringify({ query }) });
  await expect.poll(async () => (await held())['stemma_held_bytes{what="answers",share="all"}']).toBeGreaterThan(7.5e6);
  expect((await held())['stemma_held_bytes{what="answers",share="anonymous"}']).toBe(0);
  unread.destroy();
  await expect.poll(held).toEqual(nothing);
});

test('every alert is on a metric that is reported', async () => {
  const alerts = readFileSync(join(import.meta.dirname, '../../deploy/monitoring/alerts.yml'), 'utf8');
  const used = new Set([...alerts.matchAll(/stemma_[a-z_]+/g)].map(([name]) => name.replace(/_count$/, '')));
  const headers = { authorization: `Bearer ${TOKEN}` };
  const reported = await (await fetch(`${url}/metrics`, { headers })).text();
  // With `DATABASE_REPLICA_URLS` alone.
  used.delete('stemma_replica_in_use');
  expect([...used].filter((name) => !reported.includes(`# TYPE ${name} `))).toEqual([]);
  expect(used.size).toBeGreaterThan(5);
});

test('reports for how long an open transaction holds back events', async () => {
  const heldBack = async () => (await samples('stemma_events_held_back')).stemma_events_held_back_seconds;
  await app.services.db.transaction().execute(async (other) => {
    await sql`select pg_current_xact_id()`.execute(other);
    await admin.mutate('createSpace', { organizationId, title: 'Held back' }, 'space { id }');
    await expect.poll(heldBack).toBeGreaterThan(0);
  });
  await expect.poll(heldBack).toBe(0);
});

test('reports the pool, queues, lag of event consumers, and the process', async () => {
  await app.services.jobs.boss.send('remove-deleted-spaces', {}, { startAfter: 3_600 });
  await admin.mutate('createSpace', { organizationId, title: 'New' }, 'space { id }');
  await app.services.db
    .insertInto('event_consumer')
    .values({ name: 'a-slow-reader', transactionId: '3', eventId: '' })
    .execute();
  expect(Object.keys(await samples('stemma_database_connections')).sort()).toEqual(
    ['idle', 'in_use', 'waiting'].map((state) => `stemma_database_connections{state="${state}"}`),
  );
  expect(await samples('stemma_jobs{queue="remove-deleted-spaces"')).toMatchObject({
    'stemma_jobs{queue="remove-deleted-spaces",state="waiting"}': 1,
    'stemma_jobs{queue="remove-deleted-spaces",state="ready"}': 0,
  });
  const lag = () => samples('stemma_jobs_lag_seconds{queue="remove-deleted-spaces"');
  expect(Object.values(await lag())).toEqual([0]);
  await sql`update pgboss.job set start_after = now() - interval '1 hour' where name = 'remove-deleted-spaces'`.execute(
    app.services.db,
  );
  expect(Object.values(await lag())).toEqual([expect.toSatisfy((seconds) => seconds >= 3_600)]);
  expect(await samples('stemma_backfill_rows')).toEqual({
    'stemma_backfill_rows{backfill="derive-again"}': 0,
    'stemma_backfill_rows{backfill="remove-orphaned-links"}': 0,
  });
  expect((await samples('stemma_events_lag'))['stemma_events_lag_seconds{reader="a-slow-reader"}']).toBeGreaterThan(0);
  expect(Object.keys(await samples('nodejs_eventloop_lag_p99_seconds'))).toHaveLength(1);
  expect((await samples('process_resident_memory_bytes')).process_resident_memory_bytes).toBeGreaterThan(1e7);
});
