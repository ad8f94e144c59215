import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import { markHandled } from '../../lib/mark-handled.ts';

/** Writes an archive entry by entry. */
export interface ArchiveWriter {
  add(name: string, bytes: Buffer): Promise<void>;
  /** `size` is the exact size in bytes. */
  stream(name: string, size: number, chunks: AsyncIterable<Buffer> | readonly Buffer[]): Promise<void>;
  /** Resolves when everything is on disk. */
  finish(): Promise<void>;
  /** Closes the incomplete file. */
  abandon(): Promise<void>;
}

/** Writes a file that only its owner can read, since a backup contains all data of the service. */
export function writeArchive(path: string, createdAt: Date): ArchiveWriter {
  const { readable, controller } = createTarPacker();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const tar = Readable.fromWeb(readable as ReadableStream); // the package has the types of browsers
  // Its errors, such as a full disk, also end the entry that is being written.
  const completion = markHandled(pipeline(tar, createGzip({ level: 6 }), file));

  const stream: ArchiveWriter['stream'] = async (name, size, chunks) => {
    const writer = controller.add({ name, size, mode: 0o600, mtime: createdAt }).getWriter();
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  };
  return {
    add: (name, bytes) => stream(name, bytes.length, [bytes]),
    stream,
    async finish() {
      controller.finalize();
      await completion;
    },
    async abandon() {
      controller.error(new Error('The archive was abandoned.'));
      await completion.catch(() => {});
    },
  };
}
