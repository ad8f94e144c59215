import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../client.ts';
import { programWords, runProgram } from '../command.ts';

const TOKEN = 'stemma_the-token-of-this-test';
const TITLES = '{ viewer { organizations { nodes { title spaces { nodes { id title } } } } } }';
let directory: string;
let service: ChildProcess | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stemma-backup-'));
});

afterAll(async () => {
  service?.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

/** Starts a service with a database of its own. */
async function start(dataDir: string): Promise<Client> {
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    PORT: '0',
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: TOKEN,
    LOG_LEVEL: 'warn',
  } as NodeJS.ProcessEnv; // all text
  const child = spawn(process.execPath, programWords('main'), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  service = child;
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  while (!text.includes('GraphiQL')) await once(child.stdout, 'data');
  return new Client(/listens on (\S+)/.exec(text)?.[1] ?? '', TOKEN);
}

async function stop(): Promise<void> {
  service?.kill('SIGTERM');
  if (service) await once(service, 'exit');
}

test('the embedded database is backed up while the service runs, and restored into a new data directory', async () => {
  const [old, fresh, file] = ['old', 'fresh', 'backup'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]; // three
  const before = await (await start(old)).graphql(TITLES);
  const made = await runProgram('backup', [file], { DATA_DIR: old });
  expect([made.code, made.output]).toEqual([0, expect.stringContaining(join(old, 'secret-key'))]);
  await stop();

  const keyless = await runProgram('restore', [file], { DATA_DIR: fresh });
  expect([keyless.code, keyless.output]).toEqual([1, expect.stringContaining('The secret key is missing')]);
  await mkdir(fresh, { recursive: true });
  await copyFile(join(old, 'secret-key'), join(fresh, 'secret-key'));
  const restored = await runProgram('restore', [file], { DATA_DIR: fresh });
  expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('Verified: ')]);

  expect(await (await start(fresh)).graphql(TITLES)).toEqual(before);
  const beside = await runProgram('restore', [file], { DATA_DIR: fresh });
  expect([beside.code, beside.output]).toEqual([1, expect.stringContaining('in use by another process')]);
  await stop();
}, 120_000);
