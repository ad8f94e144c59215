import { Transform } from 'node:stream';
import { crc32 } from 'node:zlib';
import { ArchiveError, quoteName } from './archive.ts';

/** Passes bytes through. Fails if their number or checksum differs from the declared one. */
export function meter({ path, size, checksum }: { path: string; size: number; checksum?: number }): Transform {
  let bytes = 0;
  let sum = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > size) return done(mismatch(path, `more than the ${size} bytes it declares`));
      if (checksum !== undefined) sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush(done) {
      if (bytes < size) return done(mismatch(path, `${bytes} bytes and not the ${size} it declares`));
      if (checksum !== undefined && sum !== checksum) return done(mismatch(path, 'other bytes than were packed'));
      done();
    },
  });
}

/** Throws if the bytes of an entry are not those that the archive declares. */
export function checkBytes(
  bytes: Uint8Array,
  { path, size, checksum }: { path: string; size: number; checksum: number },
): void {
  if (bytes.length > size) throw mismatch(path, `more than the ${size} bytes it declares`);
  if (bytes.length < size) throw mismatch(path, `${bytes.length} bytes and not the ${size} it declares`);
  if (crc32(bytes) !== checksum) throw mismatch(path, 'other bytes than were packed');
}

const mismatch = (path: string, what: string) =>
  new ArchiveError('damaged', `The entry ${quoteName(path)} holds ${what}. Pack the folder again.`);
