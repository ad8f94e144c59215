import { isUtf8 } from 'node:buffer';
import type { Entry, RandomAccessReader, ZipFile } from 'yauzl';
import { getFileNameLowLevel } from 'yauzl';
import { ArchiveError, type ArchiveOptions, quoteName } from './archive.ts';
import { isIgnoredPath, safeEntryPath } from './entry-path.ts';
import { legacyName } from './legacy-name.ts';

declare module 'yauzl' {
  // Property of yauzl 3, while the typings are those of version 2.
  interface Entry {
    fileNameRaw: Buffer;
  }
  function getFileNameLowLevel(flags: number, name: Buffer, fields: Entry['extraFields'], strict: boolean): string;
}

const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_HEADER_BYTES = 30;
const UTF8_FLAG = 0x800;
const STORED = 0;
export const DEFLATED = 8;
/** File type in the upper half of the external attributes, as written on Unix (`S_IFMT`, `S_IFREG`). */
const UNIX_TYPE = 0xf000;
const UNIX_REGULAR = 0x8000;
const RATIO_FREE_BYTES = 1024 ** 2;
/** Names and extra fields are kept in memory. 4 KiB per permitted entry is far more than packers write. */
const DIRECTORY_BYTES_PER_ENTRY = 4096;

/**
 * The files in the central directory of a zip (APPNOTE 6.3.10, 4.3.12), by normalized path. Checks all limits and rules
 * for names before any file is unpacked. Stops at the first error.
 */
export async function readZipDirectory(
  zip: ZipFile,
  reader: RandomAccessReader,
  options: ArchiveOptions,
): Promise<Map<string, Entry>> {
  if (zip.entryCount > options.entries) throw tooMany(zip.entryCount, options.entries);
  const directoryStart = cursorOf(zip);
  const files = new Map<string, Entry>();
  const extents: Extent[] = [];
  let totalBytes = 0;
  await eachEntry(zip, (entry) => {
    const name = nameOf(entry);
    if (cursorOf(zip) - directoryStart > options.entries * DIRECTORY_BYTES_PER_ENTRY) throw directoryTooLarge(name);
    extents.push({ name, start: entry.relativeOffsetOfLocalHeader, bytes: entry.compressedSize });
    const path = safeEntryPath(name);
    if (path === '' || name.endsWith('/') || isIgnoredPath(path)) return;
    checkKind(entry, name);
    checkSize(entry, name, options);
    totalBytes += entry.uncompressedSize;
    if (totalBytes > options.totalBytes) throw totalTooLarge(options.totalBytes);
    if (files.has(path)) throw duplicate(name);
    files.set(path, entry);
  });
  await checkEnd(zip, reader);
  checkExtents(extents, directoryStart);
  return files;
}

interface Extent {
  name: string;
  start: number;
  bytes: number;
}

/** Position of the next header. The typings wrongly declare a boolean. */
const cursorOf = (zip: ZipFile) => Number(zip.readEntryCursor);

function eachEntry(zip: ZipFile, accept: (entry: Entry) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      try {
        accept(entry);
        zip.readEntry();
      } catch (error) {
        reject(error);
      }
    });
    zip.readEntry();
  });
}

/**
 * Decodes names as UTF-8 if valid, else as one of the code pages that packers use: 866, Shift_JIS, or 437 (APPNOTE
 * appendix D). The flag for UTF-8 is ignored, since several packers do not set it. The slash that some exports begin
 * names with is left out.
 */
function nameOf(entry: Entry): string {
  const isCoded = isUtf8(entry.fileNameRaw);
  const flags = isCoded ? entry.generalPurposeBitFlag | UTF8_FLAG : entry.generalPurposeBitFlag & ~UTF8_FLAG;
  const name = getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, true);
  const isNamed = entry.extraFields.some(({ id }) => id === UNICODE_PATH);
  const decoded = isCoded || isNamed ? name : (legacyName(entry.fileNameRaw) ?? name);
  return decoded.startsWith('/') ? decoded.slice(1) : decoded;
}

/** The extra field with the name in UTF-8 (APPNOTE 4.6.9). */
const UNICODE_PATH = 0x7075;

function checkKind(entry: Entry, name: string): void {
  const type = (entry.externalFileAttributes >>> 16) & UNIX_TYPE;
  if (type !== 0 && type !== UNIX_REGULAR) throw notRegular(name);
  if (entry.isEncrypted()) {
    throw new ArchiveError('encrypted', `The entry ${quoteName(name)} is encrypted. Pack without a password.`);
  }
  if (entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED) return;
  throw new ArchiveError(
    'unsupported',
    `The entry ${quoteName(name)} uses compression method ${entry.compressionMethod}. Pack with "deflate" or "store".`,
  );
}

function checkSize(entry: Entry, name: string, { entryBytes, compressionRatio }: ArchiveOptions): void {
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > entryBytes) {
    const sizes = `${uncompressedSize} bytes long, but the limit is ${entryBytes}`;
    throw new ArchiveError('too-large', `The entry ${quoteName(name)} is ${sizes}. Leave it out or split it.`);
  }
  if (uncompressedSize <= RATIO_FREE_BYTES || uncompressedSize <= compressedSize * compressionRatio) return;
  throw new ArchiveError(
    'compression',
    `The entry ${quoteName(name)} unpacks to more than ${compressionRatio} times its size. Leave it out.`,
  );
}

/** Rejects archives with more entries than declared, since the others would be silently ignored. */
async function checkEnd(zip: ZipFile, reader: RandomAccessReader): Promise<void> {
  const next = Buffer.alloc(4);
  await new Promise<void>((resolve, reject) => {
    reader.read(next, 0, next.length, cursorOf(zip), (error) => (error ? reject(error) : resolve()));
  });
  if (next.readUInt32LE(0) !== ENTRY_SIGNATURE) return;
  throw new ArchiveError(
    'damaged',
    `The archive lists more than the ${zip.entryCount} entries it declares. Pack again.`,
  );
}

/**
 * Rejects entries that overlap, since small archives can unpack to a huge size that way. The names and extra fields of
 * local headers need not be counted: without overlaps, the packed sizes add up to at most the size of the archive.
 */
function checkExtents(extents: Extent[], directoryStart: number): void {
  extents.sort((a, b) => a.start - b.start);
  for (const [index, { name, start, bytes }] of extents.entries()) {
    const limit = extents[index + 1]?.start ?? directoryStart;
    if (start + LOCAL_HEADER_BYTES + bytes <= limit) continue;
    throw new ArchiveError('damaged', `The entry ${quoteName(name)} overlaps the next one. Pack the folder again.`);
  }
}

const tooMany = (count: number, most: number) =>
  new ArchiveError(
    'too-many-entries',
    `The archive has ${count} entries, but the limit is ${most}. Pack only the documentation.`,
  );

const directoryTooLarge = (name: string) =>
  new ArchiveError('too-large', `The list of entries is too large at ${quoteName(name)}. Shorten names and comments.`);

const totalTooLarge = (most: number) =>
  new ArchiveError('too-large', `The archive unpacks to more than ${most} bytes. Pack only the documentation.`);

const duplicate = (name: string) =>
  new ArchiveError('duplicate', `The entry ${quoteName(name)} exists twice. Rename or remove one of them.`);

const notRegular = (name: string) =>
  new ArchiveError('link', `The entry ${quoteName(name)} is a link or a special file. Put the file itself there.`);
