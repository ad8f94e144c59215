import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { DatabaseConnection } from '../database/database.ts';
import { JOBS_SCHEMA } from '../database/jobs-schema.ts';
import { beginMigrating } from '../database/migrate.ts';
import { type KnownMigration, type MigrationList, namesOf } from '../database/migrations.ts';
import { MAKE_MIGRATIONS_TABLE, runMigration } from '../database/run-migration.ts';
import { openSession } from '../database/session.ts';
import type { Job } from '../jobs/job.ts';
import { openJobQueue } from '../jobs/job-queue.ts';
import type { Storage } from '../storage/storage.ts';
import { JOBS, tablesIn } from './copied.ts';
import { BackupError, backupFingerprint, type Header, type Manifest } from './format.ts';
import { type Backup, drain, readArchive } from './read-archive.ts';
import { compareRows, restoreRows } from './restore-rows.ts';

export interface RestoreOptions {
  databaseUrl: string;
  storage: Storage;
  /** Undefined to give up values that were encrypted with the key of the backup. */
  secretKey: string | undefined;
  /** The migrations of this version. */
  migrations: MigrationList;
  /** Opens the database with a single connection, so that migrations run in a transaction that is open on it. */
  connect(url: string): Promise<DatabaseConnection>;
  /** Runs in the transaction of the restoration when everything is restored. */
  finish(client: pg.ClientBase): Promise<void>;
  /** All kinds of jobs, for their queues. */
  jobs: readonly Job[];
  log: FastifyBaseLogger;
  /** Cancels the restoration. The database stays empty. */
  signal?: AbortSignal | undefined;
}

/**
 * Restores a backup into an empty database, in one transaction and with exactly the migrations of the backup. Those are
 * the ones that it names, and those whose columns it has although the version that made it did not know them. The
 * archive is verified before (`verifyArchive`). Before the commit, tables and files are read again and compared with
 * the backup. If the restoration fails, files that are already in the storage remain there; the next attempt reuses
 * them.
 */
export async function restoreBackup(
  path: string,
  { header, manifest }: Backup,
  options: RestoreOptions,
): Promise<void> {
  rejectOtherBackupVersion(header, options.migrations);
  rejectOtherKey(header, options.secretKey);
  await rejectUnlessEmpty(options.databaseUrl);
  await prepareQueues(header, options);
  const connection = await options.connect(options.databaseUrl);
  try {
    await inOneTransaction(connection, { header, signal: options.signal }, async (client) => {
      await rejectOtherColumns(client, header);
      await restoreParts(client, path, manifest, options);
      for (const table of header.tables) await compareRows(client, table, totalsOf(manifest, table.name));
      await options.finish(client);
      options.signal?.throwIfAborted();
    });
  } finally {
    await connection.close();
  }
}

/** Applies the migrations of a backup and runs a function in one transaction. A service that starts meanwhile waits. */
async function inOneTransaction(
  { pool, orm, migrations: list }: DatabaseConnection,
  { header, signal }: { header: Header; signal: AbortSignal | undefined },
  act: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  const first = await pool.connect();
  try {
    await beginMigrating(first, signal);
    await first.query(MAKE_MIGRATIONS_TABLE);
  } catch (error) {
    first.release(true);
    throw error;
  }
  // Migrations take the connection from the pool, which has no other.
  first.release();
  const isApplied = ({ name }: KnownMigration) => header.migrations.includes(name);
  const run = (one: KnownMigration) => runMigration(orm, one, { list, within: 'open transaction' });
  for (const one of list.filter(isApplied)) await run(one);
  // A version that did not know all migrations of its database made the backup.
  const unnamed = list.filter((one) => !isApplied(one) && one.phase !== 'after');
  for (const one of unnamed) if ((await missingColumns(pool, header)).length > 0) await run(one);
  const client = await pool.connect();
  try {
    if (client !== first) throw new Error('The pool gave up the connection of a transaction.');
    await act(client);
    await client.query('commit');
  } finally {
    // Closing the connection rolls back an open transaction.
    client.release(true);
  }
}

/** Rejects a backup that this version cannot restore. */
export function rejectOtherBackupVersion(header: Header, migrations: MigrationList): void {
  const unknown = header.migrations.find((name) => !namesOf(migrations).includes(name));
  if (unknown === undefined) return;
  throw new BackupError(
    `The backup was made by another version of Stemma, most likely a newer one: this one does not know ${unknown}. Restore it with that version.`,
  );
}

function rejectOtherKey(header: Header, secretKey: string | undefined): void {
  if (secretKey !== undefined && backupFingerprint(secretKey) !== header.keyFingerprint) {
    throw new BackupError(
      'The backup was made with another secret key. Set SECRET_KEY to that key, or put its file into DATA_DIR (secret-key). If it is lost, add --new-key. The secrets that it encrypted, such as those of webhooks, then have to be replaced.',
    );
  }
}

async function rejectUnlessEmpty(databaseUrl: string): Promise<void> {
  const client = await openSession(databaseUrl);
  try {
    const [table] = (await tablesIn(client)).keys();
    const { rows } = await client.query(`select to_regclass('${JOBS}') is not null as "hasQueue"`);
    const jobs = rows[0]?.hasQueue ? await client.query(`select from ${JOBS} limit 1`) : undefined;
    if (table === undefined && !jobs?.rowCount) return;
    throw new BackupError(
      `The database is not empty: it has ${table === undefined ? `rows in ${JOBS}` : `the table ${table}`}. Set DATABASE_URL to a new database, or for the embedded one, set DATA_DIR to a new directory or move the old one.`,
    );
  } finally {
    await client.end();
  }
}

/**
 * The queue creates its tables over its own connection. The database counts as empty as long as they contain no jobs.
 */
async function prepareQueues({ queues }: Header, { databaseUrl, jobs, log }: RestoreOptions): Promise<void> {
  const queue = await openJobQueue({ databaseUrl, jobs, works: false, log });
  try {
    for (const name of queues) if (!(await queue.boss.getQueue(name))) await queue.boss.createQueue(name);
  } finally {
    await queue.close();
  }
}

/**
 * Rejects a backup with columns that the database lacks. Tables that the backup lacks stay empty: the version that made
 * it no longer used them.
 */
async function rejectOtherColumns(client: pg.ClientBase, header: Header): Promise<void> {
  const missing = await missingColumns(client, header);
  if (missing.length === 0) return;
  throw new BackupError(
    `The backup has columns that this version of Stemma does not know (${missing.join(', ')}): a newer version had migrated the database. Restore the backup with that version.`,
  );
}

/** The columns of a backup that the database lacks. */
async function missingColumns(client: pg.ClientBase | pg.Pool, { tables }: Header): Promise<string[]> {
  const columnsByTable = await tablesIn(client);
  return tables
    .filter(({ name }) => !name.startsWith(`${JOBS_SCHEMA}.`))
    .flatMap(({ name, columns }) =>
      columns.filter((column) => !columnsByTable.get(name)?.includes(column)).map((column) => `${name}.${column}`),
    );
}

async function restoreParts(client: pg.ClientBase, path: string, manifest: Manifest, options: RestoreOptions) {
  const { storage, signal } = options;
  const unsound = new Set(manifest.unsound);
  await readArchive(path, {
    async table(name, columns, rows) {
      signal?.throwIfAborted();
      await restoreRows(client, name, columns, rows);
    },
    async blob(hash, bytes) {
      signal?.throwIfAborted();
      await (unsound.has(hash) ? drain(bytes) : restoreBlob(storage, hash, bytes));
    },
  });
}

async function restoreBlob(storage: Storage, hash: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const stored = await storage.write(Readable.from(bytes), Number.MAX_SAFE_INTEGER);
  const back = await storage.read(stored.hash);
  const digest = createHash('sha256');
  for await (const chunk of back ?? []) digest.update(chunk);
  if (digest.digest('hex') !== hash)
    throw new BackupError(`The storage returned other content for the file ${hash} than was written.`);
}

function totalsOf({ tables }: Manifest, name: string) {
  const totals = tables[name];
  if (!totals) throw new BackupError(`The backup has no totals for the table ${name}.`);
  return totals;
}
