import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clusterFiles, NAME } from './cluster.ts';
import { isServerRunning, readPostmaster } from './postmaster.ts';

/**
 * URL with the password of the embedded server that a running service has in a data directory, or undefined. Takes no
 * lock, so that other programs can use it while the service runs.
 */
export async function findRunningServer(dataDir: string): Promise<string | undefined> {
  const path = await realpath(dataDir).catch(() => undefined);
  if (path === undefined) return undefined;
  const data = clusterFiles({ path });
  const postmaster = await readPostmaster(data);
  if (!postmaster?.isReady || !(await isServerRunning(postmaster.pid, data))) return undefined;
  const password = await readFile(join(dirname(data), 'password'), 'utf8');
  return `postgresql://${NAME}:${password.trim()}@127.0.0.1:${postmaster.port}/${NAME}`;
}
