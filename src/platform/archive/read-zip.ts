import { once } from 'node:events';
import { fstat, open as openFile } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createInflateRaw } from 'node:zlib';
import { inflateSync } from 'fflate';
import { type Entry, fromRandomAccessReader, type ZipFile } from 'yauzl';
import { markErrorsHandled } from '../../lib/mark-handled.ts';
import { ARCHIVE_DEFAULTS, type Archive, ArchiveError, type ArchiveOptions, memberAt, quoteName } from './archive.ts';
import { BoundedFileReader } from './bounded-file-reader.ts';
import { topFolderOf } from './entry-path.ts';
import { checkBytes, meter } from './meter.ts';
import { DEFLATED, readZipDirectory } from './zip-directory.ts';

/**
 * Opens a zip and checks its whole directory. Files are only unpacked on demand. Fails with an ArchiveError for
 * damaged, malicious or too large archives, and with the system's error if the file cannot be opened.
 */
export async function openArchive(file: string, options: Partial<ArchiveOptions> = {}): Promise<Archive> {
  const settings = { ...ARCHIVE_DEFAULTS, ...options };
  const fd = await promisify(openFile)(file, 'r');
  const { size } = await promisify(fstat)(fd);
  const reader = new BoundedFileReader(fd, size);
  try {
    const zip = await openZip(reader, size);
    return archiveOf({ zip, reader }, await readZipDirectory(zip, reader, settings), settings);
  } catch (error) {
    reader.close(() => {});
    throw asArchiveError(error, 'The archive cannot be read as a zip file');
  }
}

function openZip(reader: BoundedFileReader, size: number): Promise<ZipFile> {
  // Names are decoded and validated here, so that errors can contain the name of the entry.
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false };
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(reader, size, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

interface OpenedZip {
  zip: ZipFile;
  reader: BoundedFileReader;
}

function archiveOf(
  { zip, reader }: OpenedZip,
  listed: Map<string, Entry>,
  { stripTopFolder }: ArchiveOptions,
): Archive {
  const top = stripTopFolder ? topFolderOf([...listed.keys()]) : '';
  const members = new Map([...listed].map(([path, entry]) => [path.slice(top.length), entry]));
  const stream = async (path: string) => unpack(zip, memberAt(members, path), path);
  return {
    entries: [...members].map(([path, { uncompressedSize }]) => ({ path, size: uncompressedSize })),
    stream,
    read: async (path) => {
      const entry = memberAt(members, path);
      return isSmall(entry) ? readSmall(reader, entry, path) : buffer(await unpack(zip, entry, path));
    },
    close: async () => {
      if (!zip.isOpen) return;
      const closed = once(zip, 'close');
      zip.close();
      await closed;
    },
  };
}

const WHOLE = { decompress: null, decrypt: null, start: null, end: null };

const isDeflated = ({ compressionMethod }: Entry) => compressionMethod === DEFLATED;

const failure = (error: unknown, path: string) =>
  asArchiveError(error, `The entry ${quoteName(path)} cannot be unpacked`);

/** The bytes of an entry as they are in the archive. */
const packed = (zip: ZipFile, entry: Entry, path: string): Promise<Readable> =>
  new Promise((resolve, reject) => {
    const raw = isDeflated(entry) ? { ...WHOLE, decompress: false } : WHOLE;
    zip.openReadStream(entry, raw, (error, stream) => (error ? reject(failure(error, path)) : resolve(stream)));
  });

/**
 * Packed bytes that are read and inflated at once, which takes a fraction of the time of streams. Whatever they are, it
 * takes less than a second.
 */
const SMALL_BYTES = 64 * 1024;

const isSmall = (entry: Entry) =>
  isDeflated(entry) && entry.compressedSize <= SMALL_BYTES && entry.uncompressedSize <= 16 * SMALL_BYTES;

function readSmall(reader: BoundedFileReader, entry: Entry, path: string): Buffer {
  try {
    const { uncompressedSize: size, crc32: checksum } = entry;
    const bytes = inflateSmall(packedNow(reader, entry), size);
    checkBytes(bytes, { path, size, checksum });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (error) {
    throw failure(error, path);
  }
}

const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30, nameLengthAt: 26, extraLengthAt: 28 };

/** The packed bytes of an entry, which follow its local header (APPNOTE 6.3.10, 4.3.7). */
function packedNow(reader: BoundedFileReader, { relativeOffsetOfLocalHeader: at, compressedSize }: Entry): Buffer {
  const header = reader.readNow(at, LOCAL_HEADER.bytes);
  if (header.length < LOCAL_HEADER.bytes || header.readUInt32LE(0) !== LOCAL_HEADER.signature) {
    throw new Error('its local header is missing');
  }
  const named = header.readUInt16LE(LOCAL_HEADER.nameLengthAt) + header.readUInt16LE(LOCAL_HEADER.extraLengthAt);
  return reader.readNow(at + LOCAL_HEADER.bytes + named, compressedSize);
}

async function unpack(zip: ZipFile, entry: Entry, path: string): Promise<Readable> {
  const source = await packed(zip, entry, path);
  const content = isDeflated(entry) ? inflate(source) : source;
  const unpacked = meter({ path, size: entry.uncompressedSize, checksum: entry.crc32 });
  content.on('error', (error) => unpacked.destroy(failure(error, path)));
  unpacked.once('close', () => content.destroy());
  return content.pipe(markErrorsHandled(unpacked));
}

function asArchiveError(error: unknown, what: string): ArchiveError {
  if (error instanceof ArchiveError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (/encrypt/i.test(reason))
    return new ArchiveError('encrypted', `${what}: it is encrypted. Pack without a password.`);
  return new ArchiveError('damaged', `${what}: it is damaged or incomplete (${reason}). Pack the folder again.`, {
    cause: error,
  });
}

/** Inflates raw DEFLATE data (RFC 1951) while it is read. Destroying the stream destroys the source. */
const inflate = (source: Readable): Readable => pipeline(source, createInflateRaw(), () => {});

/**
 * Inflates raw DEFLATE data of at most 64 KB to at most `size` bytes and one more, which says that there are too many.
 * A stream takes several times as long for data this small, and 100 KB of memory.
 */
const inflateSmall = (bytes: Uint8Array, size: number): Uint8Array =>
  inflateSync(bytes, { out: new Uint8Array(size + 1) });
