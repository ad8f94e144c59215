import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded into the server's process with `--import`, beside `--cpu-prof`. At the end it writes, to the directory of the
 * profile, when the event loop was late, how long each garbage collection took, and how much memory there was.
 * `name-stalls.ts` reads them.
 */

/** Times are in microseconds of the clock of the profile. */
export interface Notes {
  /** `cpu` is the processor time of the thread: on a busy machine it waits for a processor, too. */
  stalls: { from: number; to: number; cpu: number }[];
  collections: { from: number; ms: number; kind: number }[];
  memory: { at: number; rss: number; heapUsed: number; heapTotal: number; external: number; spaces: string }[];
}

/** Microseconds. Since Node 23.9, missing in the types. */
function cpuTime(): number {
  const { user, system } = (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage();
  return user + system;
}

const EVERY_MS = 5;
const STALL_MS = 30;

const directory = process.env.STALLS_DIR;
if (directory !== undefined && isMainThread) notice(directory);

function notice(folder: string): void {
  const notes: Notes = { stalls: [], collections: [], memory: [] };
  const now = () => Number(process.hrtime.bigint() / 1_000n);
  // Entries count from the start of the process, the profile from that of the machine.
  const began = now() - performance.now() * 1_000;
  let last = now();
  let lastUsed = cpuTime();
  setInterval(() => {
    const at = now();
    const used = cpuTime();
    if (used - lastUsed > STALL_MS * 1_000) notes.stalls.push({ from: last, to: at, cpu: used - lastUsed });
    last = at;
    lastUsed = used;
  }, EVERY_MS).unref();
  setInterval(() => {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const spaces = getHeapSpaceStatistics()
      .map(({ space_name: name, space_size: size, space_used_size: used }) => `${name} ${used >> 20}/${size >> 20}`)
      .join(', ');
    notes.memory.push({ at: now(), rss, heapUsed, heapTotal, external, spaces });
  }, 500).unref();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, duration } = entry;
      const { kind } = (entry as unknown as { detail: { kind: number } }).detail; // missing in the types
      notes.collections.push({ from: began + startTime * 1_000, ms: duration, kind });
    }
  }).observe({ entryTypes: ['gc'] });
  process.on('exit', () => writeFileSync(join(folder, 'notes.json'), JSON.stringify(notes)));
}
