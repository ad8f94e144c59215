import { closeSync, openSync, readSync } from 'node:fs';

const PAGE_BYTES = 4_096;

/** Resident memory in bytes. */
export interface Memory {
  /**
   * Of the children and all that they began, a database server apart. Pages of files, which all of them share, count
   * once.
   */
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
    all.filter((pid) => read(`/proc/${pid}/cmdline`).includes('postgres') === isPostgres).map(residentOf),
  ) as [Resident[], Resident[]];
  return {
    service: sum(parts.map(({ all, files }) => all - files)) + Math.max(0, ...parts.map(({ files }) => files)),
    postgres: sum(ofPostgres.map(({ all }) => all)),
    parts: parts.map(({ all }) => all).toSorted((a, b) => b - a),
  };
}

interface Resident {
  all: number;
  /** Of the program and its libraries: all processes of the service are Node. */
  files: number;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const withDescendants = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(withDescendants)];

/** proc_pid_task(5): only those that the main thread began, as all of Node's are. */
const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

/** proc_pid_statm(5): the second field counts resident pages, the third those of files. */
function residentOf(pid: number): Resident {
  const [, all = 0, files = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number);
  return { all: all * PAGE_BYTES, files: files * PAGE_BYTES };
}

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
