import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Lowers the priority of another process to a nice value (setpriority(2)), if it has not ended. */
export function lowerPriority(pid: number | undefined, nice: number): void {
  try {
    if (pid !== undefined) setPriority(pid, nice);
  } catch {
    // The process has already ended.
  }
}

/** How often and after how long the system is asked again, in milliseconds. It allows one such change in 100 ms. */
const ATTEMPTS = 5;
const AGAIN_MS = 150;

/**
 * The same for a process with a session of its own (`detached`). Linux can divide the processors among sessions first, and
 * nice values then only count within one (sched(7), "The autogroup feature").
 */
export function lowerSession(pid: number | undefined, nice: number, attempts = ATTEMPTS): void {
  lowerPriority(pid, nice);
  if (lowerGroup(pid, nice) || attempts <= 1) return;
  setTimeout(() => lowerSession(pid, nice, attempts - 1), AGAIN_MS).unref();
}

/**
 * Lowers the sessions of the processes that a process has forked, each with one of its own, as those of PostgreSQL. Ends when
 * the system refuses more changes for now, so it must be called again and again.
 */
export function lowerForks(pid: number, nice: number): void {
  for (const fork of textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)) {
    const group = textOf(`/proc/${fork}/autogroup`).trim();
    if (group !== '' && !group.endsWith(` nice ${nice}`) && !lowerGroup(Number(fork), nice)) return;
  }
}

/** False if the system refuses it for now. True also where there are no such groups, and if the process has ended. */
function lowerGroup(pid: number | undefined, nice: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EAGAIN';
  }
}

/** A short file of the system; empty where there is none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
