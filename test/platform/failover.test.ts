import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { clusterFiles } from '../../src/platform/database/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { waitForDatabase } from '../../src/platform/database/wait-for-database.ts';
import { administer, atPort } from '../database.ts';
import { world } from '../world.ts';

// Servers are started and stopped.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const directory = await mkdtemp(join(tmpdir(), 'stemma-failover-'));
const dataDir = await openDataDir(directory);
const start = () => startEmbeddedPostgres({ dataDir, log: () => {} });
let server = await start();

/** The address that the service has, which leads to the server of the moment. */
const sockets = new Set<Socket>();
const proxy = createServer((incoming) => {
  const outgoing = connect(Number(new URL(server.url).port), '127.0.0.1');
  incoming.pipe(outgoing).pipe(incoming);
  for (const socket of [incoming, outgoing]) {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      for (const each of [incoming, outgoing]) each.destroy();
    });
  }
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');
const address = proxy.address();
const url = atPort(server.url, typeof address === 'object' ? address?.port : 0);

const unexpected: string[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void unexpected.push(line) });
const it = await world({ WORKERS: '1', RATE_LIMIT: '0' }, { log, database: { url, drop: async () => {} } });

afterAll(async () => {
  proxy.close();
  for (const socket of sockets) socket.destroy();
  await server.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const spaces = `/v1/orgs/${it.organizationId}/spaces`;
const statuses = new Set<number>();
const noted = (status: number) => {
  statuses.add(status);
  return status;
};

/** Reads, writes, and what reads the events. */
async function tryAll(): Promise<number[]> {
  const input = { organizationId: it.organizationId, title: 'By mutation' };
  const mutation = 'mutation($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }';
  const answers = await Promise.all([
    it.creator.post(spaces, { title: 'Made' }),
    it.creator.graphqlRaw(mutation, { input }),
    it.reader.get(spaces),
    it.admin.get(`/v1/orgs/${it.organizationId}/events`),
    it.anonymous.get('/readyz'),
  ]);
  for (const { status, headers } of answers.slice(0, -1)) {
    expect(headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  }
  return answers.map(({ status }) => noted(status));
}

test('a failover to a standby is a 503 until it is promoted, and never a 500', async () => {
  await expect.poll(tryAll, { timeout: 20_000 }).toEqual([201, 200, 200, 200, 200]);
  await server.stop();
  expect((await tryAll())[4]).toBe(503);
  // The same data as a standby, which can be read.
  await writeFile(join(clusterFiles(dataDir), 'standby.signal'), '');
  server = await start();
  expect(await administer(server.url, 'select pg_is_in_recovery() as standby')).toEqual([{ standby: true }]);
  await expect.poll(async () => (await it.reader.get(spaces)).status, { timeout: 20_000 }).toBe(200);
  for (let count = 0; count < 10; count++) {
    const [rest, graph, , , ready] = await tryAll();
    expect([rest, graph, ready]).toEqual([503, 503, 503]);
  }
  const waiting: string[] = [];
  const waited = waitForDatabase(url, { warn: (text: string) => void waiting.push(text) } as never); // only `warn`
  await expect.poll(() => waiting.join(), { timeout: 20_000 }).toContain('cannot be written');

  await administer(server.url, 'select pg_promote()');
  await waited;
  await expect.poll(tryAll, { timeout: 20_000 }).toEqual([201, 200, 200, 200, 200]);
  expect([...statuses].sort()).toEqual([200, 201, 503]);
});

test('a change that no synchronous standby has is a 503, and is confirmed once one has it', async () => {
  const waitFor = async (standbys: string) => {
    await administer(server.url, `alter system set synchronous_standby_names = '${standbys}'`);
    await administer(server.url, 'select pg_reload_conf()');
  };
  const cancelWaiting = async () =>
    administer(server.url, `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
  const create = (key: string) => it.creator.send('POST', spaces, { title: key }, { 'idempotency-key': key });
  /** Sends a request whose commit waits, and ends the wait. */
  const interrupted = async (key: string) => {
    let isAnswered = false;
    const creating = create(key).finally(() => {
      isAnswered = true;
    });
    for (let waited = 0; !isAnswered && waited < 1_000; waited++) {
      await cancelWaiting();
      await sleep(20);
    }
    return creating;
  };
  await waitFor('absent');
  try {
    // Commits wait once a process of the server has read the setting.
    let probes = 0;
    await expect.poll(async () => (await interrupted(`Probe ${probes++}`)).status, { timeout: 20_000 }).toBe(503);
    // The repetition does not confirm what is not replicated, although it finds it.
    for (const attempt of ['first', 'second']) {
      const { status, headers, body } = await interrupted('Unconfirmed');
      expect([attempt, status, headers.get('retry-after')]).toEqual([attempt, 503, '1']);
      expect(body.error.message).toContain('same idempotency key');
    }
  } finally {
    await waitFor('');
  }
  await expect.poll(async () => (await create('Unconfirmed')).status, { timeout: 20_000 }).toBe(201);
  const { items } = (await it.creator.get(`${spaces}?limit=100`)).body;
  expect(items.filter(({ title }: { title: string }) => title === 'Unconfirmed')).toHaveLength(1);
});

test('jobs and events go on afterwards', async () => {
  const { db, jobs } = it.app.services;
  await it.admin.mutate('createUpload', { organizationId: it.organizationId }, 'upload { id }');
  await db.updateTable('upload').set({ expiresAt: '2020-01-01T00:00:00.000Z' }).execute();
  await jobs.boss.send('remove-expired-uploads', {});
  jobs.wake('remove-expired-uploads');
  await expect.poll(() => db.selectFrom('upload').select('id').execute(), { timeout: 30_000 }).toEqual([]);
  await it.admin.post(spaces, { title: 'After the failover' });
  await expect
    .poll(async () => (await it.eventsBy('kind=space_created')).length, { timeout: 30_000 })
    .toBeGreaterThan(2);
  // The queue says once in ten seconds that the database is away.
  expect(unexpected.filter((line) => !line.includes('error in the job queue'))).toEqual([]);
});
