import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clusterFiles, NAME } from './cluster.ts';
import { isServerRunning, readPostmaster } from './postmaster.ts';

/**
 * The address of the embedded server that a running service keeps in a data directory, with the password in it; undefined
 * where none runs. Takes no lock: for programs that work beside the service.
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
