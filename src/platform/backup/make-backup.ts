import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, rm, stat } from 'node:fs/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { markErrorsHandled } from '../../lib/mark-handled.ts';
import { rejectNewerDatabase } from '../compatibility/minimum-version.ts';
import { type AppliedMigrations, appliedMigrations, MIGRATIONS_TABLE } from '../database/applied-migrations.ts';
import { isLate, type MigrationList, namesOf } from '../database/migrations.ts';
import { openSession } from '../database/session.ts';
import { renameDurably } from '../disk/rename-durably.ts';
import type { Storage } from '../storage/storage.ts';
import { type Copied, copiedJobs, copiedTable, JOBS, tablesIn } from './copied.ts';
import { BackupError, backupFingerprint, HEADER, type Header, MANIFEST, type Manifest, sha256Of } from './format.ts';
import { type Backup, hashing, verifyArchive } from './read-archive.ts';
import { blobTally, rowTally } from './tally.ts';
import { type ArchiveWriter, writeArchive } from './write-archive.ts';

export interface BackupOptions {
  databaseUrl: string;
  storage: Storage;
  secretKey: string;
  /** Names of the service's tables. */
  tables: string[];
  /** The migrations of this version. */
  migrations: MigrationList;
  /** A query for the hashes of all stored files, as `hash`. */
  storedHashes: string;
  /** Cancels the backup. No file is left behind. */
  signal?: AbortSignal;
}

/** Number of bytes of rows per entry of the archive, which are held in memory. */
const PART_BYTES = 4 * 1024 * 1024;

/**
 * Writes the database and files to an archive while the service is running. Rows are from one snapshot; the files in it
 * cannot disappear, since files are only added. The archive is renamed to `path` when it is complete and has been
 * verified.
 */
export async function makeBackup(path: string, options: BackupOptions): Promise<Backup> {
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  ) {
    throw new BackupError(`The file ${path} already exists. Use another name, or remove the file.`);
  }
  const draft = `${path}.part`;
  await rm(draft, { force: true });
  const createdAt = new Date();
  const archive = writeArchive(draft, createdAt);
  let client: pg.Client | undefined;
  try {
    client = await openSession(options.databaseUrl, { application_name: 'stemma backup' });
    // Before the tables are locked, which another version may lack, or may have renamed.
    await rejectNewerDatabase(client, namesOf(options.migrations));
    const applied = await appliedIn(client);
    if (applied) namesAmong(applied, options.migrations);
    await writeParts(client, archive, options, createdAt);
    await archive.finish();
    const read = await verifyArchive(draft, options.signal);
    options.signal?.throwIfAborted();
    await renameDurably(draft, path);
    return read;
  } catch (error) {
    await archive.abandon();
    await rm(draft, { force: true });
    throw error;
  } finally {
    await client?.end().catch(() => {});
  }
}

async function writeParts(client: pg.Client, archive: ArchiveWriter, options: BackupOptions, createdAt: Date) {
  await client.query('begin isolation level repeatable read read only');
  const { header, copied } = await headerFor(client, options, createdAt);
  const headerBytes = jsonOf(header);
  await archive.add(HEADER, headerBytes);
  const tables: Manifest['tables'] = {};
  for (const one of copied) tables[one.name] = await writeTable(client, archive, one, options.signal);
  const files = await writeBlobs(client, archive, options);
  await client.query('commit');
  await archive.add(MANIFEST, jsonOf({ header: sha256Of(headerBytes), tables, ...files } satisfies Manifest));
}

const jsonOf = (value: unknown) => Buffer.from(JSON.stringify(value, null, 1));

async function headerFor(client: pg.Client, options: BackupOptions, createdAt: Date) {
  const names = [...options.tables, MIGRATIONS_TABLE].sort();
  await lock(client, names);
  const migrations = namesAmong((await appliedIn(client)) ?? { required: [], early: [] }, options.migrations);
  const columnsByTable = await tablesIn(client);
  const queues = await client.query<{ name: string }>(
    `select distinct name from (${copiedJobs().select}) j order by 1`,
  );
  const copied = [...names.map((name) => copiedTable(name, columnsByTable.get(name) ?? [])), copiedJobs()];
  const header: Header = {
    format: 1,
    createdAt: createdAt.toISOString(),
    migrations,
    tables: copied.map(({ name, columns }) => ({ name, columns })),
    queues: queues.rows.map(({ name }) => name),
    keyFingerprint: backupFingerprint(options.secretKey),
  };
  return { header, copied };
}

const appliedIn = (client: pg.Client) => appliedMigrations((statement) => client.query(statement));

/**
 * Names of the applied migrations, in the order of this version. Throws if this version does not know them all, or
 * needs others.
 */
function namesAmong({ required, early }: AppliedMigrations, list: MigrationList): string[] {
  const applied = [...required, ...early];
  const unknown = applied.filter((name) => !namesOf(list).includes(name));
  if (unknown.length > 0) {
    throw new BackupError(
      `A newer version of Stemma has migrated the database (${unknown.join(', ')}). Make the backup with that version.`,
    );
  }
  const pending = list.filter((one) => !applied.includes(one.name) && !isLate(one, list));
  if (pending.length > 0) {
    throw new BackupError(
      `The database lacks migrations of this version of Stemma (${namesOf(pending).join(', ')}). Make the backup with the version that uses the database.`,
    );
  }
  return namesOf(list).filter((name) => applied.includes(name));
}

/** Locks tables against migrations. Runs before the first query, which takes the snapshot. */
async function lock(client: pg.Client, names: string[]): Promise<void> {
  const relations = [...names.map((name) => `public.${pg.escapeIdentifier(name)}`), JOBS].join(', ');
  try {
    await client.query(`lock table ${relations} in access share mode`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new BackupError(
      `This version of Stemma has not been started with this database (${reason}). Start it once, then make the backup.`,
      {
        cause,
      },
    );
  }
}

async function writeTable(client: pg.Client, archive: ArchiveWriter, { name, select }: Copied, signal?: AbortSignal) {
  const tally = rowTally();
  let parts = 0;
  let waiting: Buffer[] = [];
  let size = 0;
  const flush = async () => {
    if (size === 0) return;
    await archive.add(`tables/${name}/${String(parts++).padStart(6, '0')}`, Buffer.concat(waiting, size));
    waiting = [];
    size = 0;
  };
  for await (const chunk of client.query(copyTo(`copy (${select}) to stdout`)) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    tally.add(chunk);
    waiting.push(chunk);
    size += chunk.length;
    if (size >= PART_BYTES) await flush();
  }
  await flush();
  return tally.totals();
}

async function writeBlobs(client: pg.Client, archive: ArchiveWriter, { storage, storedHashes, signal }: BackupOptions) {
  const tally = blobTally();
  const unsound: string[] = [];
  for await (const hash of hashesIn(client, storedHashes)) {
    signal?.throwIfAborted();
    const name = hash.toString('hex');
    const file = await storage.localFile(hash);
    if (!file) {
      unsound.push(name);
      continue;
    }
    try {
      const { size } = await stat(file.path);
      const bytes = markErrorsHandled(createReadStream(file.path));
      const digest = createHash('sha256');
      await archive.stream(`blobs/${name}`, size, hashing(bytes, digest));
      tally.add(name, size);
      if (digest.digest('hex') !== name) unsound.push(name);
    } finally {
      await file.release();
    }
  }
  return { blobs: tally.totals(), unsound };
}

/** In order, and a thousand at a time, since there may be millions. */
async function* hashesIn(client: pg.Client, storedHashes: string): AsyncGenerator<Buffer> {
  await client.query(`declare stored_hash cursor for select distinct hash from (${storedHashes}) s order by hash`);
  for (;;) {
    const { rows } = await client.query<{ hash: Buffer }>('fetch 1000 from stored_hash');
    if (rows.length === 0) return;
    for (const { hash } of rows) yield hash;
  }
}
