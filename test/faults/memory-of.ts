import { readdir, readFile } from 'node:fs/promises';

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
export async function memoryOf(command: string): Promise<number> {
  const { service, postgres } = await memoryApart(command);
  return service + postgres;
}

export async function memoryApart(command: string): Promise<Memory> {
  const processes = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(look));
  const found = processes.filter((each) => each !== undefined);
  const isOurs = ({ parent, text }: Look) => parent === process.pid && text.includes(command);
  const counted = new Set(found.filter(isOurs).map(({ pid }) => pid));
  for (let size = -1; size !== counted.size; ) {
    size = counted.size;
    for (const { pid, parent } of found) if (counted.has(parent)) counted.add(pid);
  }
  const ours = found.filter(({ pid }) => counted.has(pid));
  const sumOf = (some: Look[]) => some.reduce((sum, { bytes }) => sum + bytes, 0);
  const isPostgres = ({ text }: Look) => text.includes('postgres');
  const postgres = sumOf(ours.filter(isPostgres));
  const parts = ours.filter((each) => !isPostgres(each)).map(({ bytes }) => bytes);
  return { service: sumOf(ours) - postgres, postgres, parts: parts.toSorted((a, b) => b - a) };
}

interface Look {
  pid: number;
  parent: number;
  bytes: number;
  text: string;
}

/** proc_pid_stat(5): the name of the program is in brackets and may hold anything. */
async function look(pid: string): Promise<Look | undefined> {
  try {
    const [stat, text] = await Promise.all(['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')));
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    return { pid: Number(pid), parent: Number(fields[1]), bytes: Number(fields[21]) * PAGE_BYTES, text: text ?? '' };
  } catch {
    return undefined; // it has ended meanwhile
  }
}
