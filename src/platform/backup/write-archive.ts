import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { markErrorsHandled } from '../../lib/mark-errors-handled.ts';

/** Writes an archive entry by entry. */
export interface ArchiveWriter {
  add(name: string, bytes: Buffer): Promise<void>;
  /** `size` is the exact size in bytes. */
  stream(name: string, size: number, bytes: Readable): Promise<void>;
  /** Resolves when everything is on disk. */
  finish(): Promise<void>;
  /** Closes the incomplete file. */
  abandon(): Promise<void>;
}

/** Writes a file that only its owner can read, since a backup contains all data of the service. */
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
    // Errors such as a full disk occur at the end of the pipe.
    return Promise.race([done, failure]);
  };
  return {
    add: (name, bytes) => put(name, bytes.length, (entry) => entry.end(bytes)),
    stream: (name, size, bytes) => {
      const broken = new Promise<never>((_resolve, reject) => bytes.once('error', reject));
      return Promise.race([put(name, size, (entry) => bytes.pipe(markErrorsHandled(entry))), broken]);
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
