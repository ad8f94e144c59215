import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, expect, inject, test } from 'vitest';
import { migrations } from '../migrations/index.ts';
import { createApp } from '../src/app.ts';
import { bootstrap } from '../src/domain/people/organizations/index.ts';
import { runProgram } from './command.ts';
import { administer, databaseUrl } from './database.ts';
import { configOf } from './settings.ts';

const { adminUrl, template } = inject('databases');
const dataDir = await mkdtemp(join(tmpdir(), 'stemma-migrate-'));
const made: string[] = [];

afterAll(async () => {
  for (const name of made) await administer(adminUrl, `drop database if exists ${name} with (force)`);
  await rm(dataDir, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<string> {
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await administer(adminUrl, `create database ${name}`);
  made.push(name);
  return databaseUrl(adminUrl, name);
}

const KEY = 'a key of tests that is long enough';
const migrate = (environment: Record<string, string>) =>
  runProgram('migrate', [], { DATA_DIR: dataDir, ...environment });

const migrated = async (url: string) =>
  (await administer(url, 'select name from mikro_orm_migrations union all select name from early_migration')).map(
    ({ name }) => name,
  );

test('a database can be migrated before the service starts, by several processes at once', async () => {
  const url = await emptyDatabase();
  const environment = { DATABASE_URL: url, SECRET_KEY: KEY };
  const runs = await Promise.all([migrate(environment), migrate(environment)]);
  expect(runs).toEqual([
    { code: 0, output: expect.stringContaining('the database is migrated') },
    { code: 0, output: expect.stringContaining('the database is migrated') },
  ]);
  expect((await migrated(url)).sort()).toEqual(migrations.map(({ name }) => name).sort());
  // The first start of the service does that, and shows the token.
  expect(await administer(url, 'select id from organization')).toEqual([]);

  const other = await migrate({ ...environment, SECRET_KEY: `another ${KEY}` });
  expect([other.code, other.output]).toEqual([1, expect.stringContaining('SECRET_KEY')]);
  expect((await migrate(environment)).code).toBe(0);
});

test('a migration needs the settings of the service', async () => {
  const { code, output } = await migrate({ SECRET_KEY: KEY });
  expect([code, output]).toEqual([1, expect.stringMatching(/^Migrating needs DATABASE_URL and SECRET_KEY/)]);
});

test('servers that start at once on an empty database migrate it once and create one organization', async () => {
  const url = await emptyDatabase();
  const config = configOf({ WORKERS: '0', DATA_DIR: join(dataDir, 'servers') });
  const options = { config, databaseUrl: url, secretKey: KEY, log: pino({ level: 'silent' }) };
  const apps = await Promise.all([1, 2, 3].map(() => createApp(options)));
  const firsts = await Promise.all(apps.map((app) => bootstrap(app.services)));
  await Promise.all(apps.map((app) => app.close()));
  expect(firsts.filter((first) => first !== undefined)).toHaveLength(1);
  expect((await migrated(url)).sort()).toEqual(migrations.map(({ name }) => name).sort());
  expect(await administer(url, 'select title from organization')).toEqual([{ title: 'Acme' }]);
});
