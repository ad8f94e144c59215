import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { blobName, hashOfName } from './blob-name.ts';
import { measure } from './measure.ts';
import type { Storage } from './storage.ts';

/** Storage in a directory. Bytes go to a temporary file first and take their name when they are whole and on disk. */
export function directoryStorage(root: string): Storage {
  const pathOf = (hash: Buffer) => join(root, blobName(hash));

  return {
    async write(bytes, maxBytes) {
      const temporary = join(incomingOf(root), randomUUID());
      await mkdir(dirname(temporary), { recursive: true });
      try {
        const { stream, blob } = measure(maxBytes);
        await pipeline(bytes, stream, createWriteStream(temporary, { flush: true }));
        const stored = blob();
        const path = pathOf(stored.hash);
        await mkdir(dirname(path), { recursive: true });
        await rename(temporary, path);
        return stored;
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async read(hash, range) {
      const path = pathOf(hash);
      return (await exists(path)) ? createReadStream(path, range) : undefined;
    },

    async localFile(hash) {
      const path = pathOf(hash);
      return (await exists(path)) ? { path, release: async () => {} } : undefined;
    },

    async *list() {
      for (const start of await readdir(root).catch(() => [])) {
        if (start.length !== 2) continue;
        for (const name of await readdir(join(root, start))) {
          const hash = hashOfName(`${start}/${name}`);
          if (hash) yield hash;
        }
      }
    },

    async remove(hash, unlessSince) {
      const path = pathOf(hash);
      if (!(await isOlder(path, unlessSince))) return false;
      // Taken away first, then looked at again: a write that came between is put back, and one that comes later stands by itself.
      const aside = join(incomingOf(root), randomUUID());
      await mkdir(dirname(aside), { recursive: true });
      await rename(path, aside);
      const isOld = await isOlder(aside, unlessSince);
      if (!isOld) await rename(aside, path);
      await rm(aside, { force: true });
      return isOld;
    },
  };
}

/** Where bytes are until they are whole. */
export const incomingOf = (root: string) => join(root, 'incoming');

const isOlder = (path: string, time: Date) =>
  stat(path).then(
    ({ mtime }) => mtime < time,
    () => false,
  );

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
