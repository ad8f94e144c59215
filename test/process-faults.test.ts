import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { Client } from './client.ts';
import { programWords } from './command.ts';
import { administer, makeDatabase, type TestDatabase } from './database.ts';
import { freePort } from './people/sso/identity-provider.ts';

// Whole processes: slow on a machine that has much else to do.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const TOKEN = 'stemma_the-token-of-this-test';
const ALONE = { connection: 'close' };
let database: TestDatabase;
let dataDir: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  [database, dataDir] = [await makeDatabase(), await mkdtemp(join(tmpdir(), 'stemma-faults-'))];
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The service with faults on demand, and the lines of its log. */
async function start(environment: Record<string, string> = {}) {
  const { PATH, HOME } = process.env;
  const env = {
    ...{ PATH, HOME, DATA_DIR: dataDir, DATABASE_URL: database.url, DEMO: '0', LOG_LEVEL: 'info' },
    ...{
      SECRET_KEY: 'a secret of at least thirty-two characters',
      BOOTSTRAP_TOKEN: TOKEN,
      METRICS_TOKEN: 'metrics-of-this-service',
    },
    ...{ PORT: String(await freePort()), NODE_OPTIONS: '--import=./test/fixtures/faults-on-demand.ts' },
    ...environment,
  } as unknown as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, programWords('main'), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  while (!text.includes('GraphiQL') && child.exitCode === null) await sleep(20);
  expect(text).toContain('GraphiQL');
  const lines = () => text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const url = `http://127.0.0.1:${env.PORT}`;
  return { child, lines, url, client: new Client(url, TOKEN), ended: once(child, 'exit') };
}

const makeOrganization = (client: Client, title: string) => client.send('POST', '/v1/orgs', { title }, ALONE);

const titles = async (client: Client): Promise<string[]> =>
  (await client.send('GET', '/v1/orgs?limit=100', undefined, ALONE)).body.items.map(
    (each: { title: string }) => each.title,
  );

const faultsOf = async (url: string) => {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: 'Bearer metrics-of-this-service', ...ALONE },
  });
  return (await response.text()).match(/^stemma_process_faults_total.*$/gm);
};

test('a rejection that nothing handles is logged with its request, counted and survived', async () => {
  const { child, lines, url, client } = await start();
  expect((await makeOrganization(client, 'rejected beside')).status).toBe(201);
  await expect.poll(() => lines().filter(({ msg }) => msg === 'unhandled rejection').length).toBeGreaterThan(0);
  expect(lines().find(({ msg }) => msg === 'unhandled rejection')).toMatchObject({
    level: 50,
    requestId: expect.stringMatching(/^req-/),
    method: 'POST',
    route: '/v1/orgs',
    err: { type: 'Error', message: 'A rejection that nothing handles.', stack: expect.any(String) },
  });
  expect(await faultsOf(url)).toContainEqual(expect.stringMatching(/fault="unhandled_rejection"} [1-9]/));

  const failed = await makeOrganization(client, 'rejected beside and cut');
  expect(failed.status).toBe(503);
  expect(await titles(client)).toContain('rejected beside');
  expect(await titles(client)).not.toContain('rejected beside and cut');
  const open = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
  await expect.poll(() => administer(database.url, open)).toEqual([]);
  expect(child.exitCode).toBeNull();
});

test('after an uncaught exception, a server completes its running requests and exits with an error', async () => {
  const { lines, url, client, ended } = await start();
  const { body: organization } = await makeOrganization(client, 'Locked');
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from organization where id = $1 for update', [organization.id]);
  const waiting = client.send('PATCH', `/v1/orgs/${organization.id}`, { title: 'Completed' }, ALONE);
  const held = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => administer(database.url, held)).toHaveLength(1);
  await makeOrganization(client, 'thrown beside').catch(() => {});
  await expect
    .poll(() => lines().find(({ level }) => level === 60))
    .toMatchObject({
      msg: expect.stringContaining('uncaught exception'),
      err: { message: 'An exception that nothing catches.' },
    });
  const isRefused = () =>
    fetch(`${url}/healthz`, { headers: ALONE }).then(
      () => false,
      () => true,
    );
  await expect.poll(isRefused).toBe(true);
  await holder.query('rollback');
  await holder.end();
  expect((await waiting).status).toBe(200);
  expect(await ended).toEqual([1, null]);
});

test('of several processes, the one with an uncaught exception is replaced, and the others serve', async () => {
  const { child, lines, client } = await start({ WEB_CONCURRENCY: '2', DATABASE_POOL: '4' });
  await makeOrganization(client, 'thrown beside').catch(() => {});
  for (let count = 0; count < 5; count++) expect(await titles(client)).toContain('Completed');
  await expect
    .poll(() => lines().map(({ msg }) => msg), { timeout: 60_000 })
    .toContain('a server process ended and is replaced');
  expect(child.exitCode).toBeNull();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('the alert rules name metrics of the service', async () => {
  // Metrics of replicas exist where replicas are set.
  const { url } = await start({ DATABASE_REPLICA_URLS: database.url });
  const response = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer metrics-of-this-service' } });
  const text = await response.text();
  const { groups } = parse(readFileSync('deploy/monitoring/alerts.yml', 'utf8'));
  const rules: { alert: string; expr: string }[] = groups.flatMap(({ rules: each }: { rules: [] }) => each);
  expect(rules.map(({ alert }) => alert)).toContain('StemmaUnhandledRejection');
  for (const { expr } of rules) {
    const names = [...expr.matchAll(/\b(?:stemma|process|nodejs)_\w+/g)].map(([name]) => name);
    // `up` is a metric of Prometheus itself.
    expect(names.length > 0 || /\bup\{/.test(expr), expr).toBe(true);
    // A histogram without values has no count yet.
    for (const name of names) expect(text).toContain(`# TYPE ${name.replace(/_count$/, '')} `);
  }
});
