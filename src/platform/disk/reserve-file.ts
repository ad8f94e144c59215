import { randomBytes } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { freeDiskBytes } from './disk-watch.ts';

/** A file that occupies space of the data directory, to be removed when there is no other. */
export interface ReserveFile {
  /** Removes the file if space is short, and makes it if there is plenty. Returns what it did. */
  adjust(): Promise<'freed' | 'made' | undefined>;
}

const NAME = 'reserve';
const BLOCK_BYTES = 2 ** 20;

/** Share of its size that is left on the disk when the file is removed. */
const FREE_BELOW = 1 / 4;
/** Multiple of its size that has to be free to make it: the disk does not count as full afterwards. */
const MAKE_FROM = 2.5;

/** The reserve of a directory, of `bytes`. With 0, there is none. */
export function reserveFile(directory: string, bytes: number): ReserveFile {
  const path = join(directory, NAME);
  return {
    async adjust() {
      const [free, isThere] = [await freeDiskBytes(directory), await exists(path)];
      if (free === undefined) return undefined;
      if (isThere && (bytes === 0 || free < bytes * FREE_BELOW)) {
        await rm(path, { force: true });
        return 'freed';
      }
      if (isThere || bytes === 0 || free < bytes * MAKE_FROM) return undefined;
      await make(path, bytes);
      return 'made';
    },
  };
}

/** Random bytes, since file systems can compress zeros to nothing. An incomplete file is removed. */
async function make(path: string, bytes: number): Promise<void> {
  const block = randomBytes(BLOCK_BYTES);
  const file = await open(path, 'w', 0o600);
  try {
    for (let offset = 0; offset < bytes; ) {
      offset += (await file.write(block, 0, Math.min(block.length, bytes - offset))).bytesWritten;
    }
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
