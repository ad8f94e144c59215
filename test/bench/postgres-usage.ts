import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/tables.ts';

/** Linux counts time for users in hundredths of a second, whatever its own clock does (proc_pid_stat(5)). */
const TICK_MS = 10;

/** Times of a process in milliseconds: its own, and with those of its children that have ended. */
interface Times {
  parent: number;
  own: number;
  all: number;
}

/**
 * How much CPU the server of a database has used, in milliseconds, over all its processes; undefined where the system
 * has no /proc to tell it.
 */
export async function makePostgresUsage(db: Database): Promise<(() => Promise<number | undefined>) | undefined> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const session = await timesOf(rows[0]?.pid ?? 0);
  if (!session) return undefined;
  const postmaster = session.parent;
  return async () => {
    const names = await readdir('/proc');
    const processes = await Promise.all(
      names.filter((name) => /^\d+$/.test(name)).map((name) => timesOf(Number(name))),
    );
    const children = processes.filter((process) => process?.parent === postmaster);
    const main = await timesOf(postmaster);
    return main && children.reduce((sum, child) => sum + (child?.own ?? 0), main.all);
  };
}

async function timesOf(pid: number): Promise<Times | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The name may hold anything; what follows it begins with the state, field 3.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (field: number) => Number(fields[field - 3]) * TICK_MS;
  const own = ticks(14) + ticks(15);
  return { parent: Number(fields[1]), own, all: own + ticks(16) + ticks(17) };
}
