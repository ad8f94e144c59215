import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Client } from './client.ts';
import { programWords } from './command.ts';
import { administer, makeDatabase, type TestDatabase } from './database.ts';
import { makeReceiver } from './insight/webhooks/receiver.ts';
import { freePort } from './people/sso/identity-provider.ts';
import { Stream } from './stream.ts';

// Whole processes: slow on a machine that has much else to do.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const METRICS_TOKEN = 'the-token-of-the-metrics';
/** Every request gets a connection of its own: connections are given to the processes in turn. */
const ALONE = { connection: 'close' };

let dataDir: string;
let database: TestDatabase;
let service: ChildProcess;
let output = '';
let url = '';
let client: Client;
let organizationId: string;

beforeAll(async () => {
  [dataDir, database] = [await mkdtemp(join(tmpdir(), 'stemma-many-')), await makeDatabase()];
  const { PATH, HOME } = process.env;
  const environment = {
    PATH,
    HOME,
    // With 0, the port would be another one after a moment in which no process listens.
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    DEMO: '0',
    WEB_CONCURRENCY: '2',
    DATABASE_POOL: '4',
    METRICS_TOKEN,
    RATE_LIMIT: '200',
    ALLOW_PRIVATE_NETWORK: '1',
  };
  service = spawn(process.execPath, programWords('main'), {
    env: environment as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk) => (output += chunk));
  while (!output.includes('Try a first query') && service.exitCode === null) await sleep(20);
  expect(output).toContain('Try a first query');
  url = /listens on (\S+)/.exec(output)?.[1] ?? '';
  client = new Client(url, /stemma_[A-Za-z0-9_-]+/.exec(output)?.[0]);
  organizationId = (await client.get('/v1/orgs')).body.items[0].id;
});

afterAll(async () => {
  if (service?.exitCode === null) {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
  }
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The server processes. */
const children = (): number[] =>
  execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, parent, pid, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return Number(parent) === service.pid && command.includes('main') ? [Number(pid)] : [];
    });

async function metrics(): Promise<string> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}`, ...ALONE },
    signal: AbortSignal.timeout(10_000),
  });
  expect(response.status).toBe(200);
  return response.text();
}

const metric = (text: string, name: string) =>
  Number(new RegExp(`^${name.replace(/[{}"|]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);

/** Each of them by another process than the one before. */
async function newSpaces(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number++) {
    const input = { title: `Space ${number}` };
    ids.push((await client.send('POST', `/v1/orgs/${organizationId}/spaces`, input, ALONE)).body.id);
  }
  return ids;
}

test('two processes serve one port, and the address and the first token are printed once', async () => {
  expect(children()).toHaveLength(2);
  expect(output.match(/listens on/g)).toHaveLength(1);
  expect(output.match(/Access token of the first administrator/g)).toHaveLength(1);
});

test('the metrics are those of all processes', async () => {
  const before = await metrics();
  expect(metric(before, 'stemma_processes')).toBe(2);
  for (let count = 0; count < 10; count++) {
    expect((await client.send('GET', '/healthz', undefined, ALONE)).status).toBe(200);
  }
  const series = 'stemma_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}';
  const counted = async () => metric(await metrics(), series) - (metric(before, series) || 0);
  await expect.poll(counted).toBe(10);
});

test('a subscription is told what other processes do', async () => {
  const { space } = await client.mutate('createSpace', { organizationId, title: 'Followed' }, 'space { id }');
  const query = 'subscription($id: ID!) { spaceUpdated(id: $id) { __typename } }';
  const stream = new Stream(client, { query, variables: { id: space.id } });
  await expect.poll(() => stream.frames.length).toBeGreaterThan(0);
  for (let count = 1; stream.answers.length < 4; count++) {
    await client.send('PATCH', `/v1/spaces/${space.id}`, { title: `Title ${count}` }, ALONE);
    await sleep(50);
    expect(count).toBeLessThan(100);
  }
  expect(stream.answers.every((answer) => JSON.stringify(answer).includes('spaceUpdated'))).toBe(true);
  stream.close();
});

test('a webhook is called once for each event, whichever process runs the job', async () => {
  const receiver = await makeReceiver();
  const webhook = { url: receiver.url, kinds: ['space_created'] };
  expect((await client.post(`/v1/orgs/${organizationId}/webhooks`, webhook)).status).toBe(201);
  const spaces = await newSpaces(8);
  const called = () => receiver.received.map(({ body }) => JSON.parse(body).spaceId).toSorted();
  await expect.poll(called, { timeout: 60_000 }).toEqual(spaces.toSorted());
  const open = `select from pgboss.job where name = 'deliver-webhook' and state < 'completed'`;
  await expect.poll(() => administer(database.url, open), { timeout: 60_000 }).toEqual([]);
  expect(called()).toEqual(spaces.toSorted());
});

test('a process that is stopped answers what it has, and is replaced', async () => {
  const [stopped = 0, other] = children();
  const probe = () => fetch(`${url}/healthz`, { headers: ALONE, signal: AbortSignal.timeout(5_000) });
  const probing = Promise.all(Array.from({ length: 50 }, async () => (await probe()).status));
  process.kill(stopped, 'SIGTERM');
  expect(new Set(await probing)).toEqual(new Set([200]));
  await expect.poll(() => children().filter((pid) => pid !== stopped).length, { timeout: 60_000 }).toBe(2);
  expect(children()).toContain(other);
});

test('a process that crashes is replaced, and the others serve meanwhile', async () => {
  const [victim = 0, other] = children();
  const STARTED = 'stemma_last_process_start_time_seconds';
  // A process that was just started does not answer yet.
  const serving = async () => metric(await metrics().catch(() => ''), 'stemma_processes');
  await expect.poll(serving, { timeout: 60_000 }).toBe(2);
  const startedBefore = metric(await metrics(), STARTED);
  process.kill(victim, 'SIGKILL');
  // A connection that is given to a process while it crashes gets no answer.
  const probe = () => fetch(`${url}/healthz`, { headers: ALONE, signal: AbortSignal.timeout(2_000) });
  for (let count = 0; count < 5; count++) {
    await expect.poll(async () => (await probe().catch(() => undefined))?.status).toBe(200);
  }
  await expect.poll(() => children().length, { timeout: 60_000 }).toBe(2);
  expect(children()).toContain(other);
  expect(children()).not.toContain(victim);
  expect(output).toContain('a server process ended and is replaced');
  await expect.poll(serving, { timeout: 60_000 }).toBe(2);
  expect(metric(await metrics(), STARTED)).toBeGreaterThan(startedBefore);
});

test('when all processes crash at once, they are replaced', async () => {
  for (const victim of children()) process.kill(victim, 'SIGKILL');
  const probe = () => fetch(`${url}/healthz`, { headers: ALONE, signal: AbortSignal.timeout(2_000) });
  await expect.poll(async () => (await probe().catch(() => undefined))?.status, { timeout: 60_000 }).toBe(200);
  const serving = async () => metric(await metrics().catch(() => ''), 'stemma_processes');
  await expect.poll(serving, { timeout: 60_000 }).toBe(2);
  expect(service.exitCode).toBeNull();
});

test('the rate limit is one over all processes', async () => {
  const { body } = await client.post('/v1/user/tokens', { label: 'Busy' });
  const busy = new Client(url, body.secret);
  const statuses: number[] = [];
  // A minute may end meanwhile: two have 400 requests.
  for (let count = 0; count <= 400; count++) {
    statuses.push((await busy.send('GET', '/v1/user', undefined, ALONE)).status);
    if (statuses.at(-1) === 429) break;
  }
  expect(statuses.at(-1)).toBe(429);
});

test('SIGTERM lets all processes answer the requests that they have, and stops them', async () => {
  const spaces = await newSpaces(2);
  const pids = children();
  const ended = once(service, 'exit');
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from space where id = any($1) for update', [spaces]);
  const rename = (id: string) => client.send('PATCH', `/v1/spaces/${id}`, { title: 'Renamed' }, ALONE);
  // Connections are given to the processes in turn: each has one of the requests.
  const answers = Promise.all(spaces.map(rename));
  const held = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => administer(database.url, held)).toHaveLength(spaces.length);
  // Every connection is answered or refused, those among them that arrive while the processes stop.
  const probe = () =>
    fetch(`${url}/healthz`, { headers: ALONE, signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status,
      (error) => error.cause?.code ?? error.name,
    );
  const probeUntilRefused = async () => {
    const outcomes = new Set<unknown>();
    while (!outcomes.has('ECONNREFUSED') && !outcomes.has('TimeoutError')) outcomes.add(await probe());
    return outcomes;
  };
  const probing = Promise.all(Array.from({ length: 16 }, probeUntilRefused));
  await sleep(100);
  service.kill('SIGTERM');
  const outcomes = new Set((await probing).flatMap((each) => [...each]));
  expect(outcomes).toContain(200);
  expect(outcomes).not.toContain('TimeoutError');
  expect(service.exitCode).toBeNull();
  await holder.end();
  expect((await answers).map(({ status, body }) => [status, body.title])).toEqual(spaces.map(() => [200, 'Renamed']));
  expect(await ended).toEqual([0, null]);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
});

test('when processes cannot start, the command fails', () => {
  const program = `
    import cluster from 'node:cluster';
    import pino from 'pino';
    import { startServers } from './src/run-servers.ts';
    cluster.setupPrimary({ exec: 'test/fixtures/absent.ts' });
    const onFailure = () => {};
    const inherit = { databaseUrl: '', secretKey: '', previousKey: undefined };
    await startServers(2, { inherit, onFailure, log: pino({ level: 'silent' }) }).port;
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('A server process ended before it listened')]);
});
