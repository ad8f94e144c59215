import { once } from 'node:events';
import { fstat, open as openFile } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Entry, fromRandomAccessReader, type ZipFile } from 'yauzl';
import { ARCHIVE_DEFAULTS, type Archive, ArchiveError, type ArchiveOptions, memberAt, quoteName } from './archive.ts';
import { BoundedFileReader } from './bounded-file-reader.ts';
import { topFolderOf } from './entry-path.ts';
import { inflate } from './inflate.ts';
import { meter } from './meter.ts';
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
    return archiveOf(zip, await readZipDirectory(zip, reader, settings), settings);
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

function archiveOf(zip: ZipFile, listed: Map<string, Entry>, { stripTopFolder }: ArchiveOptions): Archive {
  const top = stripTopFolder ? topFolderOf([...listed.keys()]) : '';
  const members = new Map([...listed].map(([path, entry]) => [path.slice(top.length), entry]));
  const stream = async (path: string) => unpack(zip, memberAt(members, path), path);
  return {
    entries: [...members].map(([path, { uncompressedSize }]) => ({ path, size: uncompressedSize })),
    stream,
    read: async (path) => buffer(await stream(path)),
    close: async () => {
      if (!zip.isOpen) return;
      const closed = once(zip, 'close');
      zip.close();
      await closed;
    },
  };
}

const WHOLE = { decompress: null, decrypt: null, start: null, end: null };

async function unpack(zip: ZipFile, entry: Entry, path: string): Promise<Readable> {
  const failed = (error: unknown) => asArchiveError(error, `The entry ${quoteName(path)} cannot be unpacked`);
  const isDeflated = entry.compressionMethod === DEFLATED;
  const source = await new Promise<Readable>((resolve, reject) => {
    const raw = isDeflated ? { ...WHOLE, decompress: false } : WHOLE;
    zip.openReadStream(entry, raw, (error, stream) => (error ? reject(failed(error)) : resolve(stream)));
  });
  const content = isDeflated ? inflate(source) : source;
  const unpacked = meter({ path, size: entry.uncompressedSize, checksum: entry.crc32 });
  content.once('error', (error) => unpacked.destroy(failed(error)));
  unpacked.once('close', () => content.destroy());
  return content.pipe(unpacked);
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
