import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/** An archive while it is written, entry after entry. */
export interface ArchiveWriter {
  add(name: string, bytes: Buffer): Promise<void>;
  /** `size` is in bytes, and must be true. */
  stream(name: string, size: number, bytes: Readable): Promise<void>;
  /** Resolves when everything is on disk. */
  finish(): Promise<void>;
  /** Lets go of the file, which is then of no use. */
  abandon(): Promise<void>;
}

/** Writes into a file that its owner alone can read: a backup holds everything that the service knows. */
export function writeArchive(path: string, createdAt: Date): ArchiveWriter {
  const tar = pack();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const flow = pipeline(tar, createGzip({ level: 6 }), file);
  const failure = flow.then(() => new Promise<never>(() => {}));
  failure.catch(() => {});

  const put = (name: string, size: number, fill: (entry: NodeJS.WritableStream) => void) => {
    const done = new Promise<void>((resolve, reject) => {
      const entry = tar.entry({ name, size, mode: 0o600, mtime: createdAt }, (error) => {
        if (error) reject(error);
        else resolve();
      });
      fill(entry);
    });
    // A disk that is full shows at the end of the pipe.
    return Promise.race([done, failure]);
  };
  return {
    add: (name, bytes) => put(name, bytes.length, (entry) => entry.end(bytes)),
    stream: (name, size, bytes) => {
      const broken = new Promise<never>((_resolve, reject) => bytes.once('error', reject));
      return Promise.race([put(name, size, (entry) => bytes.pipe(entry)), broken]);
    },
    async finish() {
      tar.finalize();
      await flow;
    },
    async abandon() {
      tar.destroy();
      await flow.catch(() => {});
    },
  };
}
