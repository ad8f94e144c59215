import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Lowers the priority of another process to a nice value (setpriority(2)), if it has not ended. */
export function lowerPriority(pid: number | undefined, nice: number): void {
  try {
    if (pid !== undefined) setPriority(pid, nice);
  } catch {
    // The process has already ended.
  }
}

/**
 * The same for a process with a session of its own (`detached`). Linux can divide the processors among sessions first, and
 * nice values then only count within one (sched(7), "The autogroup feature").
 */
export function lowerSession(pid: number | undefined, nice: number): void {
  lowerPriority(pid, nice);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
  } catch {
    // The process has already ended, or the system has no such groups.
  }
}
