import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run.ts';

/** What a running server says of itself in its data directory (`postmaster.pid`). */
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

/** Whether the process of that number is the server of this cluster. */
export const isServerRunning = async (pid: number, data: string) => isServerOf(await commandLine(pid), data);

/**
 * Stops the server that a killed process of ours left running on this cluster. Any other process of that number is
 * left alone, and the note removed: PostgreSQL would refuse to start for its sake. Should parts of a killed server
 * still be at work, PostgreSQL refuses all the same, since their shared memory is known by the directory.
 */
export async function stopLeftover(data: string, log: (message: string) => void): Promise<void> {
  const pid = (await readPostmaster(data))?.pid;
  if (pid === undefined) return;
  if (!(await isServerRunning(pid, data))) return rm(join(data, PID_FILE), { force: true });
  log(`Stopping the PostgreSQL (pid ${pid}) that an earlier process left running.`);
  await stopPostmaster(pid, () => isServerRunning(pid, data));
}

/**
 * Ends a server: its sessions are cut and its memory is written out (SIGINT, "fast shutdown"). One that needs longer
 * than six seconds is ended at once (SIGQUIT), and recovers from its log at the next start. Nothing committed is lost.
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

/** False where there is no such process any more. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

const isServerOf = (command: string, data: string) => command.includes(`postgres -D ${data} `);

/** The words a process was started with; empty where there is none. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (words) => words.replaceAll('\0', ' '),
      () => '',
    );
  }
  return run(['ps', '-ww', '-o', 'args=', '-p', String(pid)]).catch(() => '');
}
