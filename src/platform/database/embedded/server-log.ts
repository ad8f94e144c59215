import { type FileHandle, open, rename, stat } from 'node:fs/promises';

const MAX_BYTES = 10 * 1024 * 1024;

/** Opens the log file of the server. A large one is renamed first (`.1`). */
export async function openServerLog(file: string): Promise<FileHandle> {
  const size = await stat(file).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > MAX_BYTES) await rename(file, `${file}.1`);
  return open(file, 'a+', 0o600);
}

/** The text after `position`, or the end of it if it is long. */
export async function readTail(file: string, position: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(position, size - 4_000);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.subarray(0, bytesRead).toString().trim();
  } finally {
    await handle.close();
  }
}
