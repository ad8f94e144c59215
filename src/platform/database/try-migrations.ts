import type { Transaction } from '@mikro-orm/core';
import type { DatabaseConnection } from './database.ts';
import type { KnownMigration } from './migrations.ts';
import { runMigration } from './run-migration.ts';

/** What a migration did on a copy of a database. */
export interface TriedMigration {
  milliseconds: number;
  /**
   * The strongest lock on each table that was there before, for the whole time. Empty if it builds indexes
   * concurrently.
   */
  locks: TableLock[];
}

export interface TableLock {
  table: string;
  /** As `pg_locks` names it. */
  mode: string;
  blocks: 'nothing' | 'writes' | 'reads and writes';
}

/** Table locks from the weakest to the strongest (PostgreSQL, Explicit Locking). */
const MODES = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
];

/** Locks of this transaction on tables. */
const LOCKS = `
  select c.relname as "table", array_agg(l.mode) as modes
  from pg_locks l join pg_class c on c.oid = l.relation
  where l.pid = pg_backend_pid() and l.locktype = 'relation' and c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p')
  group by 1 order by 1`;

/** The statements of a migration, without what it reads rows for. Runs nothing. */
export async function statementsOf({ class: Class }: KnownMigration): Promise<string[]> {
  const executed: string[] = [];
  const driver = {
    execute: async (statement: unknown) => {
      executed.push(String(statement));
      return [];
    },
  };
  const migration = new Class(driver, undefined);
  await migration.up();
  return [...executed, ...migration.getQueries().map(String)];
}

/** Runs a migration on a copy of a database, and measures it. */
export async function tryMigration(
  { orm, migrations: list }: DatabaseConnection,
  migration: KnownMigration,
): Promise<TriedMigration> {
  const driver = orm.em.getDriver();
  const begun = performance.now();
  const took = () => Math.round(performance.now() - begun);
  if (!new migration.class(driver, orm.config).isTransactional()) {
    await runMigration(orm, migration, { list, within: undefined });
    return { milliseconds: took(), locks: [] };
  }
  const tables = new Set(await tablesOf(driver));
  let lockRows: { table: string; modes: string[] }[] = [];
  await orm.em.getConnection().transactional(async (transaction: Transaction) => {
    await runMigration(orm, migration, { list, within: transaction });
    lockRows = await driver.execute(LOCKS, undefined, 'all', transaction);
  });
  const locks = lockRows.filter(({ table }) => tables.has(table)).map(({ table, modes }) => lockOf(table, modes));
  return { milliseconds: took(), locks };
}

async function tablesOf(driver: ReturnType<DatabaseConnection['orm']['em']['getDriver']>): Promise<string[]> {
  const rows = await driver.execute<{ name: string }[]>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  return rows.map(({ name }) => name);
}

function lockOf(table: string, modes: string[]): TableLock {
  const strength = Math.max(...modes.map((mode) => MODES.indexOf(mode)));
  const blocks =
    strength === MODES.length - 1 ? 'reads and writes' : strength >= MODES.indexOf('ShareLock') ? 'writes' : 'nothing';
  return { table, mode: MODES[strength] ?? '', blocks };
}
