import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { markHandled } from '../../lib/mark-handled.ts';
import {
  BackupError,
  HEADER,
  type Header,
  MANIFEST,
  type Manifest,
  parseBackupManifest,
  parseHeader,
  sha256Of,
} from './format.ts';
import { blobTally, rowTally } from './tally.ts';

/** Header and manifest of a backup. */
export interface Backup {
  header: Header;
  manifest: Manifest;
}

/** Handlers for the parts of a backup. Each must read its stream to the end. */
export interface ArchiveHandlers {
  header?(header: Header): Promise<void> | void;
  table(name: string, columns: string[], rows: AsyncIterable<Buffer>): Promise<void>;
  blob(hash: string, bytes: AsyncIterable<Buffer>): Promise<void>;
}

/** Far above the size of any header or manifest. */
const MAX_JSON = 64 * 1024 * 1024;

type Entry = Pick<ParsedTarEntry, 'header'> & { bytes: AsyncIterable<Buffer> };

const BLOB = /^blobs\/([0-9a-f]{64})$/;

/**
 * Reads a backup completely. If it resolves, all counts and hashes match the manifest, and there were no other entries.
 * Otherwise it throws.
 */
export async function readArchive(path: string, reader: ArchiveHandlers): Promise<Backup> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const reading = new AbortController();
  // The loop gets its errors from the entries.
  const { signal } = reading;
  markHandled(pipeline(createReadStream(path), createGunzip(), Writable.fromWeb(writable), { signal }));
  try {
    return await readEntries(entriesIn(readable), reader);
  } catch (error) {
    throw isOfFormat(error)
      ? new BackupError(`The backup ${path} is damaged or incomplete: ${error.message.replace(/\.$/, '')}.`)
      : error;
  } finally {
    reading.abort();
  }
}

async function* entriesIn(entries: AsyncIterable<ParsedTarEntry>): AsyncGenerator<Entry, undefined> {
  for await (const { header, body } of entries) yield { header, bytes: buffersOf(body) };
}

async function* buffersOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of chunks) yield Buffer.from(buffer, byteOffset, byteLength);
}

/** Reads a backup and discards the content. Throws the reason of the signal when that is aborted. */
export const verifyArchive = (path: string, signal?: AbortSignal) =>
  readArchive(path, {
    table: (_name, _columns, rows) => drain(rows, signal),
    blob: (_hash, bytes) => drain(bytes, signal),
  });

export async function drain(bytes: AsyncIterable<unknown>, signal?: AbortSignal): Promise<void> {
  for await (const _chunk of bytes) signal?.throwIfAborted();
}

async function readEntries(entries: AsyncIterator<Entry>, reader: ArchiveHandlers): Promise<Backup> {
  const cursor = { entry: undefined as Entry | undefined }; // changed by `advance`
  const advance = async () => {
    const { value, done } = await entries.next();
    cursor.entry = done ? undefined : value;
  };
  await advance();
  const headerBytes = await wholeEntry(cursor.entry, HEADER);
  const header = parseHeader(headerBytes);
  await reader.header?.(header);
  await advance();

  const tables: Manifest['tables'] = {};
  for (const { name, columns } of header.tables) {
    const tally = rowTally();
    const folder = `tables/${name}/`;
    const rows = async function* () {
      for (; cursor.entry?.header.name.startsWith(folder); await advance()) {
        for await (const chunk of cursor.entry.bytes) {
          tally.add(chunk);
          yield chunk;
        }
      }
    };
    await reader.table(name, columns, rows());
    tables[name] = tally.totals();
  }

  const blobs = blobTally();
  const unsound = new Set<string>();
  for (let name = blobIn(cursor.entry); name !== undefined; name = blobIn(cursor.entry)) {
    const digest = createHash('sha256');
    await reader.blob(name, hashing(cursor.entry?.bytes ?? [], digest));
    if (digest.digest('hex') !== name) unsound.add(name);
    blobs.add(name, cursor.entry?.header.size ?? 0);
    await advance();
  }

  const manifest = parseBackupManifest(await wholeEntry(cursor.entry, MANIFEST));
  await advance();
  if (cursor.entry) throw new BackupError(`The backup is damaged: ${cursor.entry.header.name} follows its manifest.`);
  compare({ header: sha256Of(headerBytes), tables, blobs: blobs.totals() }, manifest, unsound);
  return { header, manifest };
}

const blobIn = (entry: Entry | undefined) => (entry ? BLOB.exec(entry.header.name)?.[1] : undefined);

/** The chunks, which are added to a digest as they are read. */
export async function* hashing(bytes: AsyncIterable<Buffer> | readonly Buffer[], digest: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    digest.update(chunk);
    yield chunk;
  }
}

async function wholeEntry(entry: Entry | undefined, name: string): Promise<Buffer> {
  if (!entry) throw new BackupError(`The backup is incomplete: ${name} is missing.`);
  if (entry.header.name !== name || entry.header.size > MAX_JSON) {
    throw new BackupError(`Not a backup, or a damaged one: expected ${name}, but found ${entry.header.name}.`);
  }
  return Buffer.concat(await Array.fromAsync(entry.bytes));
}

function compare(actual: Omit<Manifest, 'unsound'>, manifest: Manifest, unsound: Set<string>): void {
  const differing = [
    ...(actual.header === manifest.header ? [] : ['the header']),
    ...Object.keys({ ...actual.tables, ...manifest.tables })
      .filter((name) => !isDeepStrictEqual(actual.tables[name], manifest.tables[name]))
      .map((name) => `the table ${name}`),
    ...(isDeepStrictEqual(actual.blobs, manifest.blobs) ? [] : ['the list of files']),
    ...[...unsound].filter((hash) => !manifest.unsound.includes(hash)).map((hash) => `the file ${hash}`),
  ];
  if (differing.length === 0) return;
  throw new BackupError(`The backup is damaged. Different from its manifest: ${differing.join(', ')}.`);
}

/** Errors of gunzip and tar about invalid data. */
function isOfFormat(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    code.startsWith('Z_') ||
    /^(?:Tar archive is truncated|Invalid (?:tar|EOF)|TAR number|Tar metadata)/.test(error.message)
  );
}
