import { setTimeout as sleep } from 'node:timers/promises';
import { resourceLimits } from 'node:worker_threads';

/** What the tests of threads have done in them. */
export async function work(
  {
    say,
    fails,
    forever,
    hoard,
    tellsLimits,
    tellsProcess,
    strays,
    breaksProcess,
    waitMs = 0,
    count = 0,
  }: {
    say?: string;
    fails?: true;
    forever?: true;
    hoard?: true;
    tellsLimits?: true;
    tellsProcess?: true;
    strays?: true;
    breaksProcess?: true;
    waitMs?: number;
    count?: number;
  },
  post: (message: unknown) => void,
) {
  if (fails) throw new Error('It is meant to fail.');
  for (let index = 0; index < count; index++) post(index);
  while (forever);
  if (hoard) for (const all: unknown[] = []; ; ) all.push(Array.from({ length: 10_000 }, () => ({ all })));
  if (strays) Promise.reject(new Error('Nobody waits for it.'));
  if (breaksProcess) {
    // Threads can share it, and processes cannot.
    post(new SharedArrayBuffer(8));
  }
  if (waitMs > 0) await sleep(waitMs);
  if (tellsProcess) return { pid: process.pid, variables: Object.keys(process.env) };
  return { said: say, ...(tellsLimits && { resourceLimits }) };
}
