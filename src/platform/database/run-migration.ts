import type { Transaction } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/postgresql';
import { EARLY_MIGRATIONS_TABLE, MIGRATIONS_TABLE } from './applied-migrations.ts';
import { isEarly, type KnownMigration, type MigrationList } from './migrations.ts';

type Orm = Pick<MikroORM, 'em' | 'config'>;

/** The statement of a migration that builds an index while rows are written. */
const CONCURRENT_INDEX = /^\s*create (?:unique )?index concurrently if not exists "(\w+)"/i;

/**
 * Runs a migration and records it. `within` is the ORM's transaction, or `open transaction` for one that is already
 * open on the pool's only connection. Undefined, for a migration that builds indexes concurrently, runs it without a
 * transaction.
 */
export async function runMigration(
  orm: Orm,
  definition: KnownMigration,
  { list, within }: { list: MigrationList; within: Transaction | 'open transaction' | undefined },
): Promise<void> {
  const driver = orm.em.getDriver();
  const transaction = within === 'open transaction' ? undefined : within;
  const migration = new definition.class(driver, orm.config);
  if (transaction) migration.setTransactionContext(transaction);
  const run = (statement: string) => driver.execute<{ index: string }[]>(statement, undefined, 'all', transaction);
  await migration.up();
  for (const query of migration.getQueries()) {
    const statement = String(query);
    const [, index] = CONCURRENT_INDEX.exec(statement) ?? [];
    if (index !== undefined && !within) await dropInvalidIndex(index, run);
    await run(within ? statement.replace(/\bindex concurrently\b/i, 'index') : statement);
  }
  const table = isEarly(definition, list) ? EARLY_MIGRATIONS_TABLE : MIGRATIONS_TABLE;
  await run(`insert into public.${table} (name) values ('${definition.name}')`);
}

/**
 * A concurrent build that was interrupted leaves an index that is never used, and that `if not exists` takes for
 * complete.
 */
async function dropInvalidIndex(index: string, run: (statement: string) => Promise<unknown[]>): Promise<void> {
  const invalid = await run(
    `select from pg_index where indexrelid = to_regclass('public."${index}"') and not indisvalid`,
  );
  if (invalid.length > 0) await run(`drop index concurrently public."${index}"`);
}

/** The table of the migrations that a version has to know, which was made by the migrator of the ORM. */
export const MAKE_MIGRATIONS_TABLE = `create table if not exists public.${MIGRATIONS_TABLE} (
  "id" serial primary key, "name" varchar(255), "executed_at" timestamptz default current_timestamp)`;
