import { closeSync, openSync, readSync } from 'node:fs';

const PAGE_BYTES = 4_096;

/** Resident memory in bytes. */
export interface Memory {
  /** Of the children and all that they began, a database server apart. */
  service: number;
  /** Of the server of PostgreSQL that they began; pages that its processes share count for each. */
  postgres: number;
  /** Of each process of the service, the largest first. */
  parts: number[];
}

/** Memory of this process's children whose command holds a text, and of all that they began. Linux. */
export function memoryOf(command: string): number {
  const { service, postgres } = memoryApart(command);
  return service + postgres;
}

export function memoryApart(command: string): Memory {
  const children = childrenOf(process.pid).filter((pid) => read(`/proc/${pid}/cmdline`).includes(command));
  const all = children.flatMap(withDescendants);
  const [ofPostgres, parts] = [true, false].map((isPostgres) =>
    all.filter((pid) => read(`/proc/${pid}/cmdline`).includes('postgres') === isPostgres).map(residentBytes),
  ) as [number[], number[]];
  return { service: sum(parts), postgres: sum(ofPostgres), parts: parts.toSorted((a, b) => b - a) };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const withDescendants = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(withDescendants)];

/** proc_pid_task(5): only those that the main thread began, as all of Node's are. */
const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

/** proc_pid_statm(5): the second field counts resident pages. */
const residentBytes = (pid: number): number => Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES;

const buffer = Buffer.alloc(16_384);

/**
 * A short file of the kernel; empty when its process has ended. Read at once into one buffer: this runs several times a
 * second beside the service whose delays are measured, and `readFile` takes a new buffer of 64 kB for each such file.
 */
function read(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      return buffer.toString('utf8', 0, readSync(file, buffer));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
