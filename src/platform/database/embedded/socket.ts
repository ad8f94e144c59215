import { once } from 'node:events';
import { chmod, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { markErrorsHandled } from '../../../lib/mark-handled.ts';

/** PostgreSQL's name of a socket, before its port. The file that locks it has the same, with `.lock`. */
const PREFIX = '.s.PGSQL.';
/** Maximum length of a socket's path. macOS allows the fewest: `sun_path` in unix(4) has 104 bytes, one of them NUL. */
const MAX_BYTES = 103;

/**
 * Whether the server can have its Unix socket in its data directory, which only the owner can enter. Shared folders of
 * virtual machines often refuse sockets.
 */
export async function canHoldSocket(data: string): Promise<boolean> {
  if (Buffer.byteLength(join(data, `${PREFIX}65535`)) > MAX_BYTES) return false;
  const path = join(data, `${PREFIX}probe`);
  const probe = markErrorsHandled(createServer());
  try {
    await rm(path, { force: true });
    await once(probe.listen(path), 'listening');
    await chmod(path, 0o700);
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

/** Removes the sockets of servers that were killed, with the files that lock them. No server may run. */
export async function removeSockets(data: string): Promise<void> {
  const names = await readdir(data).catch(() => []); // not made yet
  for (const name of names) if (name.startsWith(PREFIX)) await rm(join(data, name), { force: true });
}
