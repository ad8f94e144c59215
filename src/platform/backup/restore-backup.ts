import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { DatabaseConnection } from '../database/database.ts';
import { MIGRATION_LOCK } from '../database/migrate.ts';
import { openSession } from '../database/session.ts';
import type { Job } from '../jobs/job.ts';
import { openJobQueue } from '../jobs/job-queue.ts';
import { JOBS_SCHEMA } from '../jobs/queue-names.ts';
import type { Storage } from '../storage/storage.ts';
import { BackupError } from './backup-error.ts';
import { JOBS, tablesIn } from './copied.ts';
import { fingerprintOf, type Header, type Manifest } from './format.ts';
import { type Backup, drain, readArchive } from './read-archive.ts';
import { compareRows, restoreRows } from './restore-rows.ts';

export interface RestoreOptions {
  databaseUrl: string;
  storage: Storage;
  /** Undefined to give up values that were encrypted with the key of the backup. */
  secretKey: string | undefined;
  /** Names of the migrations in this version, in order. */
  migrations: string[];
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
 * Restores a backup into an empty database, in one transaction and with exactly the migrations of the backup. The
 * archive is verified before (`verifyArchive`). Before the commit, tables and files are read again and compared with
 * the backup. If the restoration fails, files that are already in the storage remain there; the next attempt reuses
 * them.
 */
export async function restoreBackup(
  path: string,
  { header, manifest }: Backup,
  options: RestoreOptions,
): Promise<void> {
  rejectOtherVersion(header, options.migrations);
  rejectOtherKey(header, options.secretKey);
  await rejectUnlessEmpty(options.databaseUrl);
  await prepareQueues(header, options);
  const connection = await options.connect(options.databaseUrl);
  try {
    await inOneTransaction(connection, header.migrations, async (client) => {
      await rejectOtherTables(client, header);
      await restoreParts(client, path, manifest, options);
      for (const table of header.tables) await compareRows(client, table, totalsOf(manifest, table.name));
      await options.finish(client);
      options.signal?.throwIfAborted();
    });
  } finally {
    await connection.close();
  }
}

/** Migrates and runs a function in one transaction. A service that starts meanwhile waits. */
async function inOneTransaction(
  { pool, orm }: DatabaseConnection,
  migrations: string[],
  act: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  const first = await pool.connect();
  await first.query('begin');
  await first.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  // The migrator takes the connection from the pool, which has no other.
  first.release();
  await orm.migrator.up({ migrations });
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
export function rejectOtherVersion(header: Header, migrations: string[]): void {
  const unknown = header.migrations.find((name, place) => migrations[place] !== name);
  if (unknown === undefined) return;
  throw new BackupError(
    `The backup was made by another version of Stemma, most likely a newer one: this one does not know ${unknown}. Restore it with that version.`,
  );
}

function rejectOtherKey(header: Header, secretKey: string | undefined): void {
  if (secretKey !== undefined && fingerprintOf(secretKey) !== header.keyFingerprint) {
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

async function rejectOtherTables(client: pg.ClientBase, { tables }: Header): Promise<void> {
  const here = [...(await tablesIn(client)).keys()].sort();
  const there = tables.map(({ name }) => name).filter((name) => !name.startsWith(`${JOBS_SCHEMA}.`));
  if (String(here) === String(there.sort())) return;
  throw new BackupError('The backup cannot be restored: its tables differ from the tables of its migrations.');
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
