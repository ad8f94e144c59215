import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { bootstrap } from '../../src/domain/people/organizations/index.ts';
import { Client } from '../client.ts';
import { runProgram } from '../command.ts';
import { makeDatabase } from '../database.ts';
import { configOf } from '../settings.ts';

// Whole processes: slow on a machine that has much else to do.
vi.setConfig({ testTimeout: 120_000 });

const [FORMER, CURRENT] = ['the former key of tests, long enough', 'the current key of tests, long enough'];
const TOKEN = 'stemma_a-token-of-the-administrator';
const dataDir = await mkdtemp(join(tmpdir(), 'stemma-former-key-'));
const database = await makeDatabase();
const running = new Set<App>();

const stop = async () => {
  for (const app of running) await app.close();
  running.clear();
};

afterAll(async () => {
  await stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function serve(secretKey: string, previousKey?: string): Promise<Client> {
  const config = configOf({ WORKERS: '0', DATA_DIR: dataDir });
  const log = pino({ level: 'error' });
  const app = await createApp({ config, databaseUrl: database.url, secretKey, previousKey, log });
  running.add(app);
  await bootstrap(app.services, { token: TOKEN });
  return new Client(`http://127.0.0.1:${await app.listen()}`, TOKEN);
}

const program = (name: string, words: string[], keys: Record<string, string>) =>
  runProgram(name, words, { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', DEMO: '0', ...keys });

test('what the former key signed is valid while both keys are set, and no longer', async () => {
  const before = await serve(FORMER);
  const [organization] = (await before.get('/v1/orgs')).body.items;
  const spaces = `/v1/orgs/${organization.id}/spaces`;
  const { body: space } = await before.post(spaces, { title: 'Docs' });
  await before.post(spaces, { title: 'More' });
  const file = { name: 'a.txt', base64: Buffer.from('Text of a file.').toString('base64') };
  await before.post(`/v1/spaces/${space.id}/content`, { changes: [{ operation: 'insert_files', files: [file] }] });
  const [{ downloadURL }] = (await before.get(`/v1/spaces/${space.id}/content/files`)).body.items;
  const { next } = (await before.get(`${spaces}?limit=1`)).body;
  expect(next.page).toEqual(expect.any(String));
  const statuses = async (client: Client) => [
    (await fetch(`${client.url}${new URL(downloadURL).pathname}`)).status,
    (await client.get(`${spaces}?limit=1&page=${next.page}`)).status,
  ];
  expect(await statuses(before)).toEqual([200, 200]);
  await stop();
  const both = await serve(CURRENT, FORMER);
  expect(await statuses(both)).toEqual([200, 200]);
  const keys = { SECRET_KEY: CURRENT, SECRET_KEY_PREVIOUS: FORMER };
  const rotated = await program('rotate-key', [], keys);
  expect([rotated.code, rotated.output]).toEqual([0, expect.stringContaining('The key encrypts everything')]);
  expect(await statuses(both)).toEqual([200, 200]);
  await stop();
  expect(await statuses(await serve(CURRENT))).toEqual([404, 400]);
  await stop();
});

test('a lost key is given up while the service is stopped, and its secrets are shown as unreadable', async () => {
  const before = await serve(CURRENT);
  const [organization] = (await before.get('/v1/orgs')).body.items;
  const invites = `/v1/orgs/${organization.id}/invites`;
  await before.post(invites, { emails: ['ada@acme.example'] });
  const shown = async (client: Client) => (await client.get(invites)).body.items;
  expect(await shown(before)).toMatchObject([{ hasUnreadableSecret: false, url: expect.any(String) }]);
  await stop();
  const SECRET_KEY = 'a key after the loss of the other';
  const lost = await program('rotate-key', ['--key-lost'], { SECRET_KEY });
  expect([lost.code, lost.output]).toEqual([0, expect.stringContaining('unreadable')]);
  const after = await serve(SECRET_KEY);
  const [invite] = await shown(after);
  expect(invite).toMatchObject({ hasUnreadableSecret: true });
  expect(invite).not.toHaveProperty('url');
  await after.post(invites, { emails: ['ada@acme.example'] });
  expect(await shown(after)).toMatchObject([{ hasUnreadableSecret: false, url: expect.any(String) }]);
});
