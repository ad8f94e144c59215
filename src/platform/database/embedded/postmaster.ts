import { readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterFiles, NAME } from './cluster.ts';
import { run } from './run.ts';
import { removeSockets } from './socket.ts';

/** Contents of `postmaster.pid`, which a running server writes to its data directory. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

export async function readPostmaster(data: string): Promise<Postmaster | null> {
  const lines = (await readFile(join(data, PID_FILE), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0
    ? { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' }
    : null;
}

/** Whether the process with this id is the server of this cluster. */
const isServerRunning = async (pid: number, data: string) => isServerOf(await commandLine(pid), data);

/**
 * Stops a server that a killed process left running on this cluster, if the pid does not belong to another process, and
 * removes `postmaster.pid` and sockets, which would prevent PostgreSQL from starting. If other processes of a killed
 * server are still running, PostgreSQL detects them by their shared memory and refuses to start.
 */
export async function stopLeftover(data: string, log: (message: string) => void): Promise<void> {
  const pid = (await readPostmaster(data))?.pid;
  if (pid !== undefined && (await isServerRunning(pid, data))) {
    log(`Stopping the PostgreSQL (pid ${pid}) that an earlier process left running.`);
    await stopPostmaster(pid, () => isServerRunning(pid, data));
  }
  await rm(join(data, PID_FILE), { force: true });
  await removeSockets(data);
}

/**
 * Stops a server: closes its sessions and writes its memory to disk (SIGINT, "fast shutdown"). After six seconds it is
 * stopped immediately (SIGQUIT), and recovers at the next start. Committed data is never lost.
 */
export async function stopPostmaster(pid: number, isRunning: () => boolean | Promise<boolean>): Promise<void> {
  if (!signal(pid, 'SIGINT')) return;
  for (const end = Date.now() + FAST_SHUTDOWN_MS; Date.now() < end; await sleep(POLL_MS)) {
    if (!(await isRunning())) return;
  }
  signal(pid, 'SIGQUIT');
  while (await isRunning()) await sleep(POLL_MS);
}

const PID_FILE = 'postmaster.pid';
const FAST_SHUTDOWN_MS = 6_000;
const POLL_MS = 10;

/** False if the process does not exist. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

const isServerOf = (command: string, data: string) => command.includes(`postgres -D ${data} `);

/** Command line of a process, or empty if it does not exist. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (words) => words.replaceAll('\0', ' '),
      () => '',
    );
  }
  return run(['ps', '-ww', '-o', 'args=', '-p', String(pid)]).catch(() => '');
}

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
