import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Renames a file that is on disk. Its new name is on disk too when this resolves: after a power failure, a directory
 * that was not synchronized can lack it.
 */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}

/** Makes a directory, and those above it, which are on disk when this resolves. Without effect if it exists. */
export async function makeDirectoryDurably(path: string, mode: number): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  const [top, bottom] = [dirname(resolve(first)), dirname(resolve(path))];
  for (let parent = bottom; parent.startsWith(top); parent = dirname(parent)) {
    await syncDirectory(parent);
    if (parent === top) return;
  }
}

/**
 * Errors of directories that cannot be synchronized, as on some network file systems. PostgreSQL ignores the first
 * three; file systems in user space answer with the others.
 */
const UNSUPPORTED = new Set(['EACCES', 'EBADF', 'EINVAL', 'ENOSYS', 'ENOTSUP']);

async function syncDirectory(path: string): Promise<void> {
  try {
    await using directory = await open(path);
    await directory.sync();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && UNSUPPORTED.has(String(error.code)))) throw error;
  }
}
