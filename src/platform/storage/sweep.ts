import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LEFT_BEHIND_MS } from './storage.ts';

/** Removes files of a directory that have not been written to for a day. They belong to killed processes. */
export async function sweep(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const path = join(directory, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats && stats.mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}
