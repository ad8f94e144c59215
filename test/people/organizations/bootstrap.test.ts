import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, expect, test } from 'vitest';
import { type App, createApp } from '../../../src/app.ts';
import { bootstrap } from '../../../src/domain/people/organizations/index.ts';
import { Client } from '../../client.ts';
import { makeDatabase } from '../../database.ts';
import { configOf } from '../../settings.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'stemma-bootstrap-'));
const opened: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const close of opened.toReversed()) await close();
  await rm(dataDir, { recursive: true, force: true });
});

async function appsOnEmptyDatabase(count: number): Promise<App[]> {
  const database = await makeDatabase();
  opened.push(() => database.drop());
  // Files belong to one database.
  const config = configOf({ DATA_DIR: await mkdtemp(join(dataDir, 'service-')) });
  const log = pino({ level: config.logLevel });
  const apps = [];
  for (let index = 0; index < count; index++) {
    const app = await createApp({
      config,
      databaseUrl: database.url,
      secretKey: 'a key of tests that is long enough',
      log,
    });
    opened.push(() => app.close());
    apps.push(app);
  }
  return apps;
}

async function onlyApp(): Promise<App> {
  const [app] = await appsOnEmptyDatabase(1);
  if (!app) throw new Error('no application');
  return app;
}

test('creates organization, administrator and token in an empty database, once', async () => {
  const app = await onlyApp();
  const token = 'stemma_a-token-given-by-configuration';
  const first = await bootstrap(app.services, { token });
  expect(first).toEqual({
    organizationId: expect.stringMatching(/^org_/),
    userId: expect.stringMatching(/^user_/),
    token,
  });
  expect(await bootstrap(app.services, { token })).toBeUndefined();

  const administrator = new Client(`http://127.0.0.1:${await app.listen()}`, token);
  const { viewer } = await administrator.graphql(
    '{ viewer { id displayName email organizations { nodes { id title permissions { admin } } } apiTokens { totalCount } } }',
  );
  expect(viewer).toEqual({
    id: first?.userId,
    displayName: 'Administrator',
    email: 'admin@stemma.localhost',
    organizations: { nodes: [{ id: first?.organizationId, title: 'Acme', permissions: { admin: true } }] },
    apiTokens: { totalCount: 1 },
  });
  // Only operators may.
  expect((await administrator.post('/v1/users', { email: 'ada@example.com', displayName: 'Ada' })).status).toBe(201);
});

test('make: first start: gives the administrator the address that is set', async () => {
  const { services } = await onlyApp();
  const first = await bootstrap(services, { email: 'ada@example.com' });
  const user = await services.db.selectFrom('user').selectAll().executeTakeFirstOrThrow();
  expect(user).toMatchObject({ id: first?.userId, email: 'ada@example.com', unverifiedEmail: null });
});

test('generates a token if none is set', async () => {
  const { services } = await onlyApp();
  const first = await bootstrap(services);
  expect(first?.token).toMatch(/^stemma_[A-Za-z0-9_-]{43}$/);
});

test('is done by one of several processes that start at once', async () => {
  const apps = await appsOnEmptyDatabase(4);
  const results = await Promise.all(apps.map(({ services }) => bootstrap(services)));
  expect(results.filter((result) => result !== undefined)).toHaveLength(1);
  const [app = await onlyApp()] = apps;
  const { count } = await app.services.db
    .selectFrom('organization')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(1);
});
