import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { backupParts } from '../backup-parts.ts';
import { databaseBeside } from '../beside-service.ts';
import { type Config, ConfigError } from '../config.ts';
import { connect } from '../database.ts';
import { rejectNewerDatabase } from '../platform/compatibility/minimum-version.ts';
import {
  appliedMigrations,
  EARLY_MIGRATIONS_TABLE,
  MIGRATIONS_TABLE,
} from '../platform/database/applied-migrations.ts';
import type { DatabaseConnection } from '../platform/database/database.ts';
import { isLate, type KnownMigration, namesOf } from '../platform/database/migrations.ts';
import { openSession } from '../platform/database/session.ts';
import { statementsOf, type TriedMigration, tryMigration } from '../platform/database/try-migrations.ts';
import { withoutPassword } from '../platform/database/wait-for-database.ts';
import { runCommand } from '../run-command.ts';
import type { RegisterClose } from '../run-process.ts';

const USAGE = 'Usage: npm run upgrade:check [-- --on URL_OF_A_COPY]';

/** How long a migration may block others on the copy. */
const MAX_WAIT_MS = 1_000;

const { migrations } = backupParts;

/**
 * `npm run upgrade:check`: prints the migrations that an update would run, with their statements. Changes nothing in
 * the database. With `--on URL`, runs them on a copy of it and prints what they lock, and for how long. Exits with 1 if
 * one of them blocks others for more than a second.
 */
async function check(config: Config, opened: RegisterClose): Promise<boolean> {
  const copyUrl = readsOn();
  const url = await databaseBeside(config, opened);
  const session = await openSession(url, { application_name: 'stemma upgrade check' });
  opened(() => session.end());
  const pending = await pendingOf(session, url);
  if (!pending) {
    print(`${withoutPassword(url)} has no tables yet. The first start makes them.`);
    return true;
  }
  print(`${withoutPassword(url)} lacks ${pending.length} of ${migrations.length} migrations.`);
  if (copyUrl === undefined) {
    for (const migration of pending) await show(migration);
    if (pending.length > 0)
      print('\nTo see what they lock, and for how long, add `-- --on URL` with a copy of the database.');
    return true;
  }
  await rejectSame(session, copyUrl);
  await rejectOtherState(copyUrl, pending);
  const copy = await connect(copyUrl, { poolSize: 2 });
  opened(() => copy.close());
  return tryAll(copy, pending);
}

const print = (text: string) => process.stdout.write(`${text}\n`);

function readsOn(): string | undefined {
  let url: string | undefined;
  try {
    url = parseArgs({ options: { on: { type: 'string' } } }).values.on;
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
  if (url === undefined || /^postgres(?:ql)?:\/\//.test(url)) return url;
  throw new ConfigError(`--on must be a URL such as postgres://user:password@host/copy.\n${USAGE}`);
}

/** The migrations that a database lacks. Undefined for a database without tables. */
async function pendingOf(session: pg.Client, url: string): Promise<KnownMigration[] | undefined> {
  await rejectNewerDatabase(session, namesOf(migrations));
  const applied = await appliedMigrations((statement) => session.query(statement));
  if (!applied) return undefined;
  const names = new Set([...applied.required, ...applied.early]);
  if (names.size === 0) throw new ConfigError(`The list of migrations of ${withoutPassword(url)} is empty.`);
  return migrations.filter(({ name }) => !names.has(name));
}

/** Locks in one database, and looks whether the other has the lock. */
async function rejectSame(session: pg.Client, copyUrl: string): Promise<void> {
  const copy = await openSession(copyUrl);
  const key = randomInt(2 ** 31);
  try {
    await session.query('begin');
    await session.query(`select pg_advisory_xact_lock(${key})`);
    await copy.query('begin');
    const { rows } = await copy.query<{ isFree: boolean }>(`select pg_try_advisory_xact_lock(${key}) as "isFree"`);
    if (rows[0]?.isFree) return;
    throw new ConfigError('--on names the database itself. Give the URL of a copy, which the migrations change.');
  } finally {
    await copy.end();
    await session.query('rollback');
  }
}

async function rejectOtherState(copyUrl: string, pending: KnownMigration[]): Promise<void> {
  const session = await openSession(copyUrl);
  try {
    const copyPending = await pendingOf(session, copyUrl);
    if (copyPending && String(namesOf(copyPending)) === String(namesOf(pending))) return;
    throw new ConfigError(
      'The copy lacks other migrations than the database. Each copy can be used once: restore it from a new backup of the database.',
    );
  } finally {
    await session.end();
  }
}

async function show(migration: KnownMigration, tried?: TriedMigration): Promise<void> {
  const time = tried ? `: ${tried.milliseconds} ms on the copy` : '';
  print(`\n${migration.name} (${isLate(migration, migrations) ? 'after' : 'before'} the update)${time}`);
  if (tried) for (const line of linesOf(tried)) print(`  ${line}`);
  for (const statement of await statementsOf(migration)) print(`    ${statement.trim().replace(/\s+/g, ' ')};`);
}

/** Tables of the list itself. No process of the service waits for their locks. */
const OWN = [MIGRATIONS_TABLE, EARLY_MIGRATIONS_TABLE];

const foreignLocks = ({ locks }: TriedMigration) => locks.filter(({ table }) => !OWN.includes(table));

function linesOf(tried: TriedMigration): string[] {
  const lines = foreignLocks(tried).map(({ table, mode, blocks }) => `locks ${table}: ${mode}, which blocks ${blocks}`);
  return lines.length > 0 ? lines : ['blocks nothing'];
}

const blocksLong = (tried: TriedMigration) =>
  tried.milliseconds > MAX_WAIT_MS && foreignLocks(tried).some(({ blocks }) => blocks !== 'nothing');

async function tryAll(copy: DatabaseConnection, pending: KnownMigration[]): Promise<boolean> {
  const long: string[] = [];
  for (const migration of pending) {
    const tried = await tryMigration(copy, migration);
    await show(migration, tried);
    if (blocksLong(tried)) long.push(migration.name);
  }
  if (long.length === 0) {
    print('\nNo migration blocks others for more than a second on the copy.');
    return true;
  }
  print(`\nMore than a second: ${long.join(', ')}. Update when few people use the service, or stop it first.`);
  return false;
}

await runCommand(check);
