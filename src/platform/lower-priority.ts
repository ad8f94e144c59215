import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Lowers the priority of another process to a nice value (setpriority(2)), if it has not ended. */
export function lowerPriority(pid: number | undefined, nice: number): void {
  try {
    if (pid !== undefined) setPriority(pid, nice);
  } catch {
    // The process has already ended.
  }
}

const THREADS = '/proc/self/task';

/** Names of the threads of V8's pool: in Node 24, and since Node 26. */
const V8_THREADS = ['V8Worker', 'node-V8Worker'];

/**
 * Lowers the priority of V8's own threads of this process to a nice value. They collect garbage and compile, also for the
 * threads of heavy work, and should not take a processor from the event loop. On Linux each thread has a nice value of
 * its own (setpriority(2)); elsewhere, and before Node 24, this does nothing.
 */
export function lowerV8Threads(nice: number): void {
  try {
    for (const id of readdirSync(THREADS))
      if (V8_THREADS.includes(readFileSync(`${THREADS}/${id}/comm`, 'utf8').trim())) lowerPriority(Number(id), nice);
  } catch {
    // There is no /proc.
  }
}
