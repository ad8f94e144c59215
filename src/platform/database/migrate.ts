import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import { rejectNewerDatabase } from '../compatibility/minimum-version.ts';
import { OperatorError } from '../errors/errors.ts';
import {
  type AppliedMigrations,
  appliedMigrations,
  EARLY_MIGRATIONS_TABLE,
  MIGRATIONS_TABLE,
} from './applied-migrations.ts';
import type { DatabaseConnection } from './database.ts';
import { isEarly, isLate, type KnownMigration, type MigrationList, namesOf } from './migrations.ts';
import { MAKE_MIGRATIONS_TABLE, runMigration } from './run-migration.ts';
import { isReported } from './sqlstates.ts';

/** Key of the advisory lock for migrations: any number that nothing else uses. */
const MIGRATION_LOCK = 7_305_110_042;

/** Name of the sessions that wait for other processes to migrate. */
export const WAITING_NAME = 'stemma waits for migrations';

/** How often they look whether the others have ended. */
const LOOK_EVERY_MS = 100;

/**
 * Begins a transaction in which no other process migrates. Asks again and again, each time in a new transaction: a
 * statement that waited for the lock would have a snapshot, and indexes that the other process builds concurrently wait
 * for its end. Throws the reason of the signal when that is aborted.
 */
export async function beginMigrating(client: pg.ClientBase, signal?: AbortSignal): Promise<void> {
  for (let isMarked = false; ; isMarked = true) {
    await client.query('begin');
    const { rows } = await client.query<{ isMine: boolean }>(
      `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isMine"`,
    );
    if (rows[0]?.isMine) {
      if (isMarked) await client.query('reset application_name');
      return;
    }
    await client.query('rollback');
    signal?.throwIfAborted();
    if (!isMarked) await client.query(`set application_name to '${WAITING_NAME}'`);
    await sleep(LOOK_EVERY_MS);
  }
}

export interface MigrateOptions {
  /**
   * Whether the migrations of the phase `after` run too. By default they do if no other session is connected to the
   * database.
   */
  runsLate?: boolean | undefined;
  log?: Pick<FastifyBaseLogger, 'info' | 'warn'> | undefined;
  /** How long a migration is tried again while other transactions have locks that it needs. Default five minutes. */
  patienceMs?: number;
}

/** How long a statement waits for a lock, while those who come after it wait too. */
const LOCK_TIMEOUT_MS = 1_000;
const PATIENCE_MS = 300_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Updates the schema, and returns the names of the migrations that it applied. Can be called by several processes at
 * once: an advisory lock, which a transaction beside those of the migrations holds, makes them wait for each other. The
 * first time, all migrations are one transaction, so a crash leaves the database empty. Later, each is one, so that its
 * locks are short. Throws `NewerDatabaseError` if the database is too new for this version.
 */
export async function migrate(connection: DatabaseConnection, options: MigrateOptions = {}): Promise<string[]> {
  const { pool, migrations } = connection;
  const client = await pool.connect();
  try {
    await beginMigrating(client);
    await rejectNewerDatabase(client, namesOf(migrations));
    const applied = await appliedMigrations((statement) => client.query(statement));
    if (!applied || applied.required.length === 0) return await migrateEmpty(connection);
    const pending = pendingAmong(migrations, applied);
    const late = pending.filter((migration) => isLate(migration, migrations));
    // Asked before the migrations open sessions of their own.
    const runsLate = late.length > 0 && (options.runsLate ?? (await isAlone(client)));
    const running = runsLate ? pending : pending.filter((migration) => !late.includes(migration));
    await requireFormer(connection, applied);
    for (const migration of running) await migrateBriefly(connection, migration, options);
    if (late.length > 0 && !runsLate) options.log?.info({ migrations: namesOf(late) }, LATE_TEXT);
    return namesOf(running);
  } finally {
    // Closing the connection ends the transaction.
    client.release(true);
  }
}

const LATE_TEXT = 'migrations wait until no process of the former version runs: then run `npm run migrate -- --after`';

const pendingAmong = (list: MigrationList, { required, early }: AppliedMigrations): KnownMigration[] =>
  list.filter(({ name }) => !required.includes(name) && !early.includes(name));

async function migrateEmpty({ orm, migrations }: DatabaseConnection): Promise<string[]> {
  await orm.em.getConnection().transactional(async (transaction) => {
    await orm.em.getDriver().execute(MAKE_MIGRATIONS_TABLE, undefined, 'all', transaction);
    for (const one of migrations) await runMigration(orm, one, { list: migrations, within: transaction });
  });
  return namesOf(migrations);
}

/** Makes the former version's early migrations required, so that versions before it no longer start on the database. */
async function requireFormer({ orm, migrations }: DatabaseConnection, { early }: AppliedMigrations): Promise<void> {
  const former = migrations.filter((one) => early.includes(one.name) && !isEarly(one, migrations));
  if (former.length === 0) return;
  const names = namesOf(former)
    .map((name) => `'${name}'`)
    .join(', ');
  await orm.em.getDriver().execute(`
    with moved as (delete from public.${EARLY_MIGRATIONS_TABLE} where name in (${names}) returning name)
    insert into public.${MIGRATIONS_TABLE} (name) select name from moved order by name`);
}

/**
 * Runs a migration without making other transactions queue for long: a statement gives up after waiting a second for a
 * lock, and the migration is tried again.
 */
async function migrateBriefly(
  { orm, migrations: list }: DatabaseConnection,
  migration: KnownMigration,
  { log, patienceMs = PATIENCE_MS }: MigrateOptions,
): Promise<void> {
  const begun = performance.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const tried = performance.now();
    try {
      if (isConcurrent(orm, migration)) await runMigration(orm, migration, { list, within: undefined });
      else {
        await orm.em.getConnection().transactional(async (transaction) => {
          const limit = `set local lock_timeout = ${LOCK_TIMEOUT_MS}`;
          await orm.em.getDriver().execute(limit, undefined, 'all', transaction);
          await runMigration(orm, migration, { list, within: transaction });
        });
      }
      log?.info(
        { migration: migration.name, milliseconds: Math.round(performance.now() - tried) },
        'migration applied',
      );
      return;
    } catch (error) {
      if (!isContended(error)) throw error;
      if (performance.now() - begun + pause > patienceMs)
        throw new OperatorError(busyText(migration, patienceMs), { cause: error });
      log?.warn({ migration: migration.name, retryInMs: pause }, 'a migration waits for locks of other transactions');
      await sleep(pause);
    }
  }
}

const isConcurrent = (orm: DatabaseConnection['orm'], { class: Class }: KnownMigration) =>
  !new Class(orm.em.getDriver(), orm.config).isTransactional();

/** lock_timeout, and deadlocks. */
const isContended = (error: unknown) => isReported(error) && ['55P03', '40P01'].includes(error.code);

const busyText = ({ name }: KnownMigration, patienceMs: number) =>
  `The migration ${name} did not get its locks within ${patienceMs / 1_000} seconds, because other transactions have them. End long transactions in the database (\`select pid, xact_start, query from pg_stat_activity order by xact_start\`), or stop the service, then migrate again.`;

/** How long sessions that were just closed may still be listed. */
const LISTED_MS = 1_000;

/** Sessions of clients in the database, except this one and those that wait for these migrations. */
const OTHERS = `
  select from pg_stat_activity a
  where a.datname = current_database() and a.usesysid is not null and a.pid <> pg_backend_pid()
    and a.application_name <> '${WAITING_NAME}'`;

/** Whether no other session is connected to the database, so that no other process runs. */
async function isAlone(client: pg.ClientBase): Promise<boolean> {
  for (const end = performance.now() + LISTED_MS; ; await sleep(50)) {
    const { rowCount } = await client.query(OTHERS);
    if (rowCount === 0) return true;
    if (performance.now() > end) return false;
  }
}

/** Whether the database has all migrations that this version needs to run. */
export async function isMigrated({ db, migrations }: DatabaseConnection): Promise<boolean> {
  const applied = await appliedMigrations((statement) => sql.raw(statement).execute(db));
  return applied !== undefined && pendingAmong(migrations, applied).every((one) => isLate(one, migrations));
}
