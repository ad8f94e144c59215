import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { Client } from '../client.ts';
import { programWords, runProgram } from '../command.ts';
import { administer } from '../database.ts';
import { configOf } from '../settings.ts';
import { world } from '../world.ts';

// Whole processes: slow on a machine that has much else to do.
vi.setConfig({ testTimeout: 180_000 });

const { app, admin, organizationId, databaseUrl } = await world();
const OLD = app.services.secretKeys.current;
const NEW = 'another key of tests that is long enough';
const directory = await mkdtemp(join(tmpdir(), 'stemma-keys-'));
const running: App[] = [];

afterAll(async () => {
  for (const each of running) await each.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const { dataDir } = app.services.config;

/** A service on the database of the test. */
async function serve(secretKey: string, previousKey?: string, environment: Record<string, string> = {}) {
  const config = configOf({ WORKERS: '0', DATA_DIR: dataDir, ...environment });
  const log = pino({ level: 'error' });
  const served = await createApp({ config, databaseUrl, secretKey, previousKey, log });
  running.push(served);
  return { served, client: new Client(`http://127.0.0.1:${await served.listen()}`, admin.token) };
}

const program = (name: string, words: string[], keys: Record<string, string>) =>
  runProgram(name, words, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', DEMO: '0', ...keys });

const record = async () => (await administer(databaseUrl, 'select * from secret_key'))[0];

const invites = `/v1/orgs/${organizationId}/invites?limit=100`;
const INVITED = 60;

test('a database of an earlier version gets a fingerprint of the key that reads its secrets, and of no other', async () => {
  const people = Array.from({ length: INVITED }, (_, index) => `person-${index}@acme.example`);
  await admin.post(`/v1/orgs/${organizationId}/invites`, { emails: people });
  expect(await record()).toBeUndefined();
  await expect(serve(NEW)).rejects.toThrow('it cannot decrypt any of the tested secrets');
  expect(await record()).toBeUndefined();
  // It stays connected, although it has nothing to do.
  await serve(OLD);
  const { fingerprint, salt, installation, previous_fingerprint } = (await record()) ?? {};
  expect([fingerprint, salt, previous_fingerprint]).toEqual([expect.any(Buffer), expect.any(Buffer), null]);
  expect(await readFile(join(dataDir, 'blobs', 'installation'), 'utf8')).toBe(`${installation}\n`);
});

test('another key is refused by every program, with where the former one was and what to do', async () => {
  const other = { SECRET_KEY: NEW };
  const refusal = /is not the secret key of this database, which was in .*Restore that key.*rotate-key -- --key-lost/;
  for (const [name, ...words] of [['main'], ['worker'], ['backup', join(directory, 'a.tar')], ['rotate-key']]) {
    const { code, output } = await program(name ?? '', words, other);
    expect([name, code, output]).toEqual([name, 1, expect.stringMatching(refusal)]);
  }
  const { code, output } = await program('doctor', [], other);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/problem {2}secret key .*is not the secret key of this data/),
  ]);
  expect(output).toContain(`cannot read ${INVITED} links of invitations, of ${INVITED} secrets`);
  const good = await program('doctor', [], { SECRET_KEY: OLD });
  expect(good.output).toMatch(/ok {7}secret key .*It matches the database/);
  expect(good.output).toContain('the secret key reads all of them');
  const lost = await program('rotate-key', ['--key-lost'], other);
  expect([lost.code, lost.output]).toEqual([1, expect.stringContaining('Stop all processes of the service first')]);
  const early = await program('rotate-key', [], { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD });
  expect([early.code, early.output]).toEqual([1, expect.stringContaining('runs with only the former key')]);
});

test('a missing key file and files of another installation are refused', async () => {
  const missing = await program('main', [], { DATA_DIR: await mkdtemp(join(directory, 'empty-')) });
  expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('The secret key is missing')]);
  const foreign = await mkdtemp(join(directory, 'foreign-'));
  await writeFile(join(foreign, 'installation'), '11111111-1111-4111-8111-111111111111\n');
  const files = { SECRET_KEY: OLD, STORAGE_URL: `file://${foreign}` };
  const mixed = await program('main', [], files);
  expect([mixed.code, mixed.output]).toEqual([1, expect.stringContaining(`The files in ${foreign} belong to`)]);
  expect((await program('doctor', [], files)).output).toMatch(/problem {2}stored files .*belong to an installation/);
});

/** The part of an entity tag that changes with the resource, and not with the URL of the service. */
const versionIn = (headers: Headers) => headers.get('etag')?.split('.')[0];

test('the key is replaced while the service runs, also by a command that is killed', async () => {
  const { body: webhook } = await admin.post(`/v1/orgs/${organizationId}/webhooks`, {
    url: 'https://acme.example/',
  });
  const { headers: webhookHeaders } = await admin.get(`/v1/webhooks/${webhook.id}`);
  const { items, next } = (await admin.get(`/v1/orgs/${organizationId}/invites?limit=5`)).body;
  // Reads with both keys and writes with the former one, as the first round of restarts leaves it.
  const first = await serve(OLD, NEW);
  expect((await record())?.previous_fingerprint).toBeNull();
  const second = await serve(NEW, OLD);
  expect((await record())?.previous_fingerprint).toBeInstanceOf(Buffer);
  await expect(serve(OLD)).rejects.toThrow('is being replaced');
  await expect(serve(NEW)).rejects.toThrow('Set SECRET_KEY_PREVIOUS to the former key');
  await expect(serve('a third key of tests, long enough too', NEW)).rejects.toThrow('replaced by another new key');
  await second.client.post(`/v1/orgs/${organizationId}/invites`, { emails: ['new@acme.example'] });
  const urls = async (client: Client) =>
    (await client.get(invites)).body.items.map(({ url }: { url?: string }) => url?.replace(/^.*#/, ''));
  const before = await urls(first.client);
  expect(before).toHaveLength(INVITED + 1);
  expect(before).not.toContain(undefined);
  expect(await urls(second.client)).toEqual(before);
  expect(items).toHaveLength(5);
  expect((await second.client.get(`/v1/orgs/${organizationId}/invites?limit=5&page=${next?.page}`)).status).toBe(200);

  // A lock on a webhook stops the command after it has encrypted the invitations again.
  const blocker = new pg.Client({ connectionString: databaseUrl });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('select from webhook for update');
  const keys = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD };
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...keys } as NodeJS.ProcessEnv;
  const killed = spawn(process.execPath, programWords('rotate-key'), { env, stdio: 'ignore' });
  const waiting = `select 1 from pg_stat_activity where application_name = 'stemma rotate-key' and wait_event_type = 'Lock'`;
  await vi.waitUntil(async () => (await administer(databaseUrl, waiting)).length > 0, { timeout: 120_000 });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  // PostgreSQL notices only later that the client is gone, and would end the statement that waits.
  const its = `from pg_stat_activity where application_name = 'stemma rotate-key'`;
  await administer(databaseUrl, `select pg_terminate_backend(pid, 10000) ${its}`);
  await blocker.query('rollback');
  await blocker.end();
  expect(await urls(first.client)).toEqual(before);
  expect(await urls(second.client)).toEqual(before);
  expect((await record())?.previous_fingerprint).toBeInstanceOf(Buffer);

  let isOver = false;
  let reads = 0;
  const reading = (async () => {
    while (!isOver) {
      for (const client of [first.client, second.client]) expect(await urls(client)).toEqual(before);
      reads++;
    }
  })();
  const rotated = await program('rotate-key', [], keys);
  isOver = true;
  await reading;
  expect(reads).toBeGreaterThan(0);
  expect([rotated.code, rotated.output]).toEqual([0, expect.stringContaining('The key encrypts everything')]);
  expect(rotated.output).toContain(`links of invitations: 0 re-encrypted, ${INVITED + 1} readable with the key`);
  expect(rotated.output).toContain('secrets of webhooks: 1 re-encrypted, 1 readable');
  const again = await program('rotate-key', [], { SECRET_KEY: NEW });
  expect([again.code, again.output]).toEqual([0, expect.stringContaining('webhooks: 0 re-encrypted, 1 readable')]);
  const third = await serve(NEW);
  expect(await urls(third.client)).toEqual(before);
  const { body: now, headers } = await third.client.get(`/v1/webhooks/${webhook.id}`);
  expect(now).toMatchObject({ hasUnreadableSecret: false });
  expect(versionIn(headers)).toBe(versionIn(webhookHeaders));
  await expect(serve(OLD)).rejects.toThrow('is not the secret key of this database');
});
