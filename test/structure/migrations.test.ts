import { randomBytes } from 'node:crypto';
import { Migration } from '@mikro-orm/migrations';
import { afterAll, expect, inject, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { connect, migrateDatabase } from '../../src/database.ts';
import { entities } from '../../src/entities.ts';
import { type DatabaseConnection, openDatabase } from '../../src/platform/database/database.ts';
import { isMigrated, migrate } from '../../src/platform/database/migrate.ts';
import { administer, databaseUrl, makeDatabase } from '../database.ts';
import { missingMigration } from '../print-migration.ts';

const { adminUrl, template } = inject('databases');
const made: string[] = [];
const names = migrations.map(({ name }) => name);

afterAll(async () => {
  for (const name of made) await administer(adminUrl, `drop database if exists ${name} with (force)`);
});

async function emptyDatabase(): Promise<string> {
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await administer(adminUrl, `create database ${name}`);
  made.push(name);
  return databaseUrl(adminUrl, name);
}

const tablesOf = async (url: string) => {
  const rows = await administer(
    url,
    `select table_name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  return rows.map(({ table_name }) => table_name);
};

async function using<Value>(
  connection: DatabaseConnection,
  act: (connection: DatabaseConnection) => Promise<Value>,
): Promise<Value> {
  try {
    return await act(connection);
  } finally {
    await connection.close();
  }
}

/** For machines that have much else to do. */
const PATIENCE = { timeout: 10_000 };

test('a migrated database has exactly the tables, columns and indexes of the entities', async () => {
  const database = await makeDatabase();
  expect(await missingMigration(database.url)).toBe('');
  await database.drop();
});

test('running the migrations again changes nothing', async () => {
  const url = await emptyDatabase();
  expect(await migrateDatabase(url)).toEqual(names);
  const tables = await tablesOf(url);
  expect(tables.length).toBeGreaterThan(entities.length);
  expect(await migrateDatabase(url)).toEqual([]);
  expect(await tablesOf(url)).toEqual(tables);
});

test('two processes that start concurrently on an empty database migrate it once', async () => {
  const url = await emptyDatabase();
  const applied = await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
  expect(applied.flat()).toEqual(names);
});

class Half extends Migration {
  override up(): void {
    this.addSql('create table half (id text)');
    this.addSql('select pg_sleep(60)');
  }
}

const withHalf = (url: string) =>
  openDatabase(url, entities, { migrations: [...migrations, { name: 'half', class: Half }] });

test('a process that dies during a migration leaves the schema unchanged, and the next one continues', async () => {
  const url = await emptyDatabase();
  const connection = await withHalf(url);
  const dying = migrate(connection).catch((error: unknown) => error);
  const asleep = `from pg_stat_activity where query = 'select pg_sleep(60)' and datname = current_database()`;
  await expect.poll(() => administer(url, `select pid ${asleep}`), PATIENCE).toHaveLength(1);
  await administer(url, `select pg_terminate_backend(pid) ${asleep}`);
  expect(await dying).toBeInstanceOf(Error);
  // The ORM does not give back a session that died inside its transaction, and a close would wait for it.
  void connection.close();

  expect(await tablesOf(url)).not.toContain('half');
  await migrateDatabase(url);
  await using(await connect(url), async (next) => expect(await isMigrated(next)).toBe(true));
});

test('a failed migration rolls back the whole run', async () => {
  class Failing extends Migration {
    override up(): void {
      this.addSql('create table half (id text)');
      this.addSql('select 1 / 0');
    }
  }
  const url = await emptyDatabase();
  const failing = await openDatabase(url, entities, {
    migrations: [...migrations, { name: 'failing', class: Failing }],
  });
  await using(failing, async (connection) => {
    await expect(migrate(connection)).rejects.toThrow(/division by zero/);
    expect(await isMigrated(connection)).toBe(false);
  });
  expect(await tablesOf(url)).toEqual(expect.not.arrayContaining(['half', 'organization']));
  expect(await migrateDatabase(url)).toEqual(names);
});
