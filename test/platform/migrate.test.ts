import { randomBytes } from 'node:crypto';
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { EarlyMigrations } from '../../migrations/2026-11-27-early-migrations.ts';
import { EarlyMigration } from '../../src/platform/compatibility/entity.ts';
import { NewerDatabaseError } from '../../src/platform/compatibility/minimum-version.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import {
  beginMigrating,
  isMigrated,
  type MigrateOptions,
  migrate,
  WAITING_NAME,
} from '../../src/platform/database/migrate.ts';
import type { MigrationList } from '../../src/platform/database/migrations.ts';
import { OperatorError } from '../../src/platform/errors/errors.ts';
import { administer, databaseUrl } from '../database.ts';

const { adminUrl, template } = inject('databases');
let name: string;
let url: string;
const clients: pg.Client[] = [];

beforeEach(async () => {
  name = `${template}_${randomBytes(6).toString('hex')}`;
  await administer(adminUrl, `create database ${name}`);
  url = databaseUrl(adminUrl, name);
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  await administer(adminUrl, `drop database if exists ${name} with (force)`);
});

async function client(): Promise<pg.Client> {
  const opened = new pg.Client({ connectionString: url });
  clients.push(opened);
  await opened.connect();
  return opened;
}

const running = (...statements: string[]) =>
  class extends Migration {
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  };

const building = (...statements: string[]) =>
  class extends running(...statements) {
    override isTransactional(): boolean {
      return false;
    }
  };

// Three versions of a service that keeps notes: the second renames the text of a note in two phases.
const FIRST: MigrationList = [
  { name: 'early', class: EarlyMigrations },
  { name: 'notes', class: running('create table note (id int primary key, body text)') },
];
const SECOND: MigrationList = [
  ...FIRST,
  { name: 'new-text', class: running('alter table note add column if not exists text text'), since: '0.2.0' },
  {
    name: 'old-text',
    class: running('alter table note drop column if exists body'),
    since: '0.2.0',
    phase: 'after',
  },
];
const THIRD: MigrationList = [
  ...SECOND,
  { name: 'authors', class: running('alter table note add column if not exists author text'), since: '0.3.0' },
];

async function migrateWith(migrations: MigrationList, options?: MigrateOptions): Promise<string[]> {
  const connection = await openDatabase(url, [EarlyMigration], { migrations, poolSize: 2 });
  try {
    const applied = await migrate(connection, options);
    expect(await isMigrated(connection)).toBe(true);
    return applied;
  } finally {
    await connection.close();
  }
}

/** Locks that sessions of this database wait for. Other test files use the server too. */
const WAITING = `
  select from pg_locks where not granted
    and pid in (select pid from pg_stat_activity where datname = current_database())`;

const columns = async () =>
  (
    await administer(
      url,
      `select column_name as name from information_schema.columns where table_name = 'note' and column_name <> 'id' order by 1`,
    )
  ).map((row) => row.name);

test('the former version starts on the schema of the next one until what only the former one uses is removed', async () => {
  await migrateWith(FIRST);
  expect(await migrateWith(SECOND, { runsLate: false })).toEqual(['new-text']);
  expect(await columns()).toEqual(['body', 'text']);
  expect(await migrateWith(FIRST)).toEqual([]);
  expect(await migrateWith(SECOND, { runsLate: false })).toEqual([]);
  expect(await migrateWith(SECOND, { runsLate: true })).toEqual(['old-text']);
  expect(await columns()).toEqual(['text']);
  await expect(migrateWith(FIRST)).rejects.toThrow(NewerDatabaseError);
  await expect(migrateWith(FIRST)).rejects.toThrow('does not know its migrations old-text.');
});

test('an update completes the former one, and the version before that does not start', async () => {
  await migrateWith(FIRST);
  await migrateWith(SECOND, { runsLate: false });
  expect(await migrateWith(THIRD, { runsLate: false })).toEqual(['old-text', 'authors']);
  expect(await columns()).toEqual(['author', 'text']);
  expect(await migrateWith(SECOND)).toEqual([]);
  await expect(migrateWith(FIRST)).rejects.toThrow('does not know its migrations new-text, old-text.');
});

test('a new database has everything at once', async () => {
  expect(await migrateWith(SECOND)).toEqual(['early', 'notes', 'new-text', 'old-text']);
  expect(await columns()).toEqual(['text']);
});

test('what only the former version uses stays while any other process is connected', async () => {
  await migrateWith(FIRST);
  const other = await client();
  const logged: unknown[] = [];
  const log = { info: (fields: unknown) => void logged.push(fields), warn: () => {} };
  expect(await migrateWith(SECOND, { log })).toEqual(['new-text']);
  expect(logged).toContainEqual({ migrations: ['old-text'] });
  clients.splice(clients.indexOf(other), 1);
  await other.end();
  expect(await migrateWith(SECOND)).toEqual(['old-text']);
});

test('a migration that waits for a lock lets others pass, and is tried again', async () => {
  await migrateWith(FIRST);
  const holder = await client();
  await holder.query('begin');
  await holder.query('select from note');
  const retries: unknown[] = [];
  const log = { info: () => {}, warn: (fields: unknown) => void retries.push(fields) };
  const migrated = migrateWith(SECOND, { runsLate: false, log });
  await expect.poll(() => administer(url, WAITING), { timeout: 5_000 }).toHaveLength(1);
  // It queues behind the migration, which gives up although the first transaction stays open.
  expect((await (await client()).query('select from note')).rowCount).toBe(0);
  expect(await columns()).toEqual(['body']);
  await holder.query('commit');
  expect(await migrated).toEqual(['new-text']);
  expect(retries).toContainEqual({ migration: 'new-text', retryInMs: 250 });
});

test('a migration that gets no lock for too long fails, says what to do, and changes nothing', async () => {
  await migrateWith(FIRST);
  const holder = await client();
  await holder.query('begin');
  await holder.query('select from note');
  const failing = migrateWith(SECOND, { runsLate: false, patienceMs: 100 });
  await expect(failing).rejects.toThrow(OperatorError);
  await expect(failing).rejects.toThrow('The migration new-text did not get its locks within 0.1 seconds');
  expect(await columns()).toEqual(['body']);
});

const INDEXED: MigrationList = [
  ...FIRST,
  {
    name: 'index',
    class: building('CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "note_body_unique" ON "note" ("body")'),
    since: '0.2.0',
  },
];
const isValid = (index: string) =>
  administer(url, `select indisvalid as valid from pg_index where indexrelid = to_regclass('${index}')`);

test('an index is built while rows are written', async () => {
  await migrateWith(FIRST);
  const writer = await client();
  await writer.query('begin');
  await writer.query(`insert into note values (1, 'one')`);
  const migrated = migrateWith(INDEXED);
  // The build waits for the open transaction, and nobody for the build.
  await expect.poll(() => administer(url, WAITING), { timeout: 5_000 }).toHaveLength(1);
  await (await client()).query(`insert into note values (2, 'two')`);
  await writer.query('commit');
  expect(await migrated).toEqual(['index']);
  expect(await isValid('note_body_unique')).toEqual([{ valid: true }]);
});

const waitingForMigrations = () =>
  administer(
    url,
    `select from pg_stat_activity where datname = current_database() and application_name = '${WAITING_NAME}'`,
  );

test('an index is built while another process waits to migrate', async () => {
  await migrateWith(FIRST);
  const writer = await client();
  await writer.query('begin');
  await writer.query(`insert into note values (1, 'one')`);
  const migrated = migrateWith(INDEXED);
  await expect.poll(() => administer(url, WAITING), { timeout: 5_000 }).toHaveLength(1);
  const waiting = migrateWith(INDEXED);
  await expect.poll(waitingForMigrations, { timeout: 5_000 }).toHaveLength(1);
  await writer.query('commit');
  expect(await Promise.all([migrated, waiting])).toEqual([['index'], []]);
});

test('processes that wait to migrate do not keep what only the former version uses', async () => {
  await migrateWith(FIRST);
  const holder = await client();
  await beginMigrating(holder);
  const migrated = Promise.all([migrateWith(SECOND), migrateWith(SECOND)]);
  await expect.poll(waitingForMigrations, { timeout: 5_000 }).toHaveLength(2);
  clients.splice(clients.indexOf(holder), 1);
  await holder.end();
  expect((await migrated).toSorted((one, other) => other.length - one.length)).toEqual([['new-text', 'old-text'], []]);
});

test('an index whose build was interrupted is built again', async () => {
  await migrateWith(FIRST);
  await administer(url, `insert into note values (1, 'same'), (2, 'same')`);
  await expect(migrateWith(INDEXED)).rejects.toThrow('could not create unique index');
  expect(await isValid('note_body_unique')).toEqual([{ valid: false }]);
  await administer(url, `update note set body = 'other' where id = 2`);
  expect(await migrateWith(INDEXED)).toEqual(['index']);
  expect(await isValid('note_body_unique')).toEqual([{ valid: true }]);
});

test('a new database has its indexes in the same transaction', async () => {
  expect(await migrateWith(INDEXED)).toEqual(['early', 'notes', 'index']);
  expect(await isValid('note_body_unique')).toEqual([{ valid: true }]);
});
