import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { markErrorsHandled } from '../../lib/mark-handled.ts';
import { makeDirectoryDurably, renameDurably } from '../disk/rename-durably.ts';
import { blobName, hashOfName } from './blob-name.ts';
import { measure } from './measure.ts';
import { LEFT_BEHIND_MS, receiveAndKeep, type Storage } from './storage.ts';

/**
 * Storage in a directory that only its owner can access (0700, files 0600). Files are written under a temporary name
 * and renamed when they are complete and on disk. What is kept stays after a power failure.
 */
export function directoryStorage(root: string): Storage {
  const pathOf = (hash: Buffer) => join(root, blobName(hash));

  const receive: Storage['receive'] = async (bytes, maxBytes) => {
    const temporary = join(incomingOf(root), randomUUID());
    await makeDirectory(dirname(temporary));
    const discard = () => rm(temporary, { force: true });
    try {
      const { stream, blob } = measure(maxBytes);
      await pipeline(bytes, stream, createWriteStream(temporary, { flush: true, mode: OWNER_FILE }));
      const stored = blob();
      const path = pathOf(stored.hash);
      let isKept = false;
      return {
        ...stored,
        read: async (range) => markErrorsHandled(createReadStream(isKept ? path : temporary, range)),
        async keep() {
          if (isKept) return;
          await makeDirectoryDurably(dirname(path), OWNER_DIRECTORY);
          await renameDurably(temporary, path);
          isKept = true;
        },
        discard,
      };
    } catch (error) {
      await discard();
      throw error;
    }
  };

  return {
    receive,
    write: (bytes, maxBytes) => receiveAndKeep(receive, bytes, maxBytes),

    async read(hash, range) {
      const path = pathOf(hash);
      return (await exists(path)) ? markErrorsHandled(createReadStream(path, range)) : undefined;
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
      // Moved first and then checked again: a concurrent write before the move is restored, and one after it creates a
      // new file.
      const aside = join(incomingOf(root), randomUUID());
      await makeDirectory(dirname(aside));
      // Another process may have removed it.
      if (!(await findsFile(rename(path, aside)))) return false;
      const isOld = await isOlder(aside, unlessSince);
      // The sweep of another process may have removed it meanwhile, if it was old.
      const isBack = !isOld && (await findsFile(renameDurably(aside, path)));
      await rm(aside, { force: true });
      return !isBack;
    },

    tidy: () => sweep(incomingOf(root)),
  };
}

/** Uploads are private, so other users of the machine have no access. */
const OWNER_DIRECTORY = 0o700;
const OWNER_FILE = 0o600;

const makeDirectory = (path: string) => mkdir(path, { recursive: true, mode: OWNER_DIRECTORY });

/** Restricts an existing directory to its owner, if this process is allowed to. */
export const closeToOthers = (root: string) => chmod(root, OWNER_DIRECTORY).catch(() => {});

/** The directory of incomplete files. */
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

/** Whether a file operation found its file. */
const findsFile = (operation: Promise<void>) =>
  operation.then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

/** Removes files of a directory that have not been written to for a day. They belong to killed processes. */
export async function sweep(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const path = join(directory, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats && stats.mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}
