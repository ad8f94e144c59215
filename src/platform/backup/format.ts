import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { OperatorError } from '../errors/errors.ts';

/** A backup cannot be made or restored. The message tells the operator what to do. */
export class BackupError extends OperatorError {}

/*
 * A backup is a gzipped tar (POSIX.1-2017, pax) of entries in this order:
 *
 *   header.json                 what was backed up: `Header`
 *   tables/<table>/<number>     rows in the text format of COPY (PostgreSQL, "COPY"), cut into parts anywhere
 *   blobs/<sha-256>             a stored file
 *   manifest.json               counts and hashes of all of it: `Manifest`
 *
 * The manifest comes last, since its counts and hashes are known only then. An archive without one is incomplete.
 */

export const HEADER = 'header.json';
export const MANIFEST = 'manifest.json';

const headerSchema = z.object({
  format: z.literal(1, 'is not supported. Restore the backup with the version of Stemma that made it'),
  createdAt: z.string(),
  /** Names of the applied migrations, in their order. */
  migrations: z.array(z.string()),
  /** In the order of their entries. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  /** The queues that waiting jobs are in. */
  queues: z.array(z.string()),
  keyFingerprint: z.string(),
});

const totalsSchema = z.object({
  rows: z.number(),
  bytes: z.number(),
  /** SHA-256 of the rows in the archive. */
  sha256: z.string(),
  /** Hash of the rows that does not depend on their order: see `rowTally`. */
  rowsHash: z.string(),
});

const manifestSchema = z.object({
  /** SHA-256 of the header. */
  header: z.string(),
  tables: z.record(z.string(), totalsSchema),
  /** `sha256` is the hash of the concatenated names of all files. Each name is the SHA-256 of its file. */
  blobs: z.object({ count: z.number(), bytes: z.number(), sha256: z.string() }),
  /** Files in the database that were missing in the storage, or had other content. */
  unsound: z.array(z.string()),
});

/** Description of the content of a backup. */
export type Header = z.output<typeof headerSchema>;

/** Number of rows of a table, with hashes. */
export type TableTotals = z.output<typeof totalsSchema>;

/** Counts and hashes of the whole backup. */
export type Manifest = z.output<typeof manifestSchema>;

export const parseHeader = (bytes: Buffer): Header => parsed(headerSchema, HEADER, bytes);
export const parseBackupManifest = (bytes: Buffer): Manifest => parsed(manifestSchema, MANIFEST, bytes);

/** Fingerprint to compare secret keys without revealing them. */
export const backupFingerprint = (secretKey: string) =>
  createHmac('sha256', secretKey).update('stemma backup').digest('hex').slice(0, 16);

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function parsed<Schema extends z.ZodType>(schema: Schema, name: string, bytes: Buffer): z.output<Schema> {
  const result = schema.safeParse(jsonIn(name, bytes));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new BackupError(`The backup cannot be read: ${name}: ${issue?.path.join('.')} ${issue?.message}.`);
}

function jsonIn(name: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BackupError(`The backup is damaged: ${name} is not JSON.`);
  }
}
