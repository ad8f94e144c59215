import { close, read, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { RandomAccessReader } from 'yauzl';

const CHUNK_BYTES = 64 * 1024;
const readChunk = promisify(read);

/**
 * Reads a zip for yauzl from a file descriptor, which it closes. Positions outside of the file, which zip64 fields can
 * contain, result in an error: `fs.read` would throw inside a callback, where the error cannot be caught.
 */
export class BoundedFileReader extends RandomAccessReader {
  readonly #fd: number;
  readonly #size: number;

  constructor(fd: number, size: number) {
    super();
    this.#fd = fd;
    this.#size = size;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (position + length > this.#size) {
      callback(new Error('an entry is outside of the file'));
      return;
    }
    read(this.#fd, buffer, offset, length, position, callback);
  }

  /** Reads at once, up to the end of the file. */
  readNow(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#size - position)));
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, bytes.length, position));
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#chunks(start, end), { objectMode: false });
  }

  // Streams of node:fs close the descriptor when destroyed, but all entries share it.
  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position));
      const { bytesRead } = await readChunk(this.#fd, chunk, 0, chunk.length, position);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
      position += bytesRead;
    }
  }

  override close(callback: (error: Error | null) => void): void {
    close(this.#fd, (error) => callback(error ?? null));
  }
}
