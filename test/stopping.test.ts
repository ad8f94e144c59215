import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { programWords } from './command.ts';
import { makeDatabase, type TestDatabase } from './database.ts';
import { freshConnections } from './fresh-connections.ts';

// Whole processes: slow on a machine that has much else to do. `test/faults/stops.ts` has many rounds.
vi.setConfig({ testTimeout: 120_000 });

const COUNT = 64;

let dataDir: string;
let database: TestDatabase;
let service: { process: ChildProcess; url: string; ended: Promise<number | null> } | undefined;

beforeAll(async () => {
  [dataDir, database] = [await mkdtemp(join(tmpdir(), 'stemma-stopping-')), await makeDatabase()];
});

afterEach(async () => {
  service?.process.kill('SIGKILL');
  await service?.ended;
});

afterAll(async () => {
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(environment: Record<string, string>): Promise<NonNullable<typeof service>> {
  const { PATH, HOME } = process.env;
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DATABASE_POOL: '4',
    DEMO: '0',
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, programWords('main'), {
    env: { PATH, HOME, ...settings, ...environment } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  while (!text.includes('GraphiQL') && child.exitCode === null) await sleep(20);
  service = { process: child, url: /listens on (\S+)/.exec(text)?.[1] ?? '', ended };
  return service;
}

const probe = (url: string, path: string) => fetch(`${url}${path}`).catch(() => undefined);

test.each(['1', '2'])('connections that are opened around SIGTERM are answered by %s processes', async (count) => {
  for (const withinMs of [0, 300]) {
    const { process: child, url, ended } = await start({ WEB_CONCURRENCY: count, SHUTDOWN_DELAY_MS: '1000' });
    const connections = freshConnections(url, COUNT, withinMs);
    await sleep(withinMs / 2);
    child.kill('SIGTERM');
    expect(await connections).toEqual(Array.from({ length: COUNT }, () => 'HTTP/1.1 200 OK'));
    expect(await ended).toBe(0);
  }
});

test.each(['1', '2'])(
  'after SIGTERM, %s processes are not ready but answer, and a second signal ends them',
  async (count) => {
    const { process: child, url, ended } = await start({ WEB_CONCURRENCY: count, SHUTDOWN_DELAY_MS: '60000' });
    child.kill('SIGTERM');
    await expect.poll(async () => (await probe(url, '/readyz'))?.status, { timeout: 20_000 }).toBe(503);
    const ready = await probe(url, '/readyz');
    expect(await ready?.json()).toEqual({ status: 'not ready', reason: 'The service is stopping.' });
    const answer = await probe(url, '/healthz');
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'keep-alive']);
    await sleep(500); // signals that come at once count as one
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
    await expect.poll(() => probe(url, '/healthz'), { timeout: 20_000 }).toBeUndefined();
  },
);

test('SIGINT does not wait', async () => {
  const { process: child, ended } = await start({ SHUTDOWN_DELAY_MS: '600000' });
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});
