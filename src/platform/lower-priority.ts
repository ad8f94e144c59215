import { setPriority } from 'node:os';

/** Lowers the priority of another process to a nice value (setpriority(2)), if it has not ended. */
export function lowerPriority(pid: number | undefined, nice: number): void {
  try {
    if (pid !== undefined) setPriority(pid, nice);
  } catch {
    // The process has already ended.
  }
}
