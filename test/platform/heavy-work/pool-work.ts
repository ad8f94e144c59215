import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const filled: Buffer[] = [];

/** What the tests of workers have done in them. */
export async function work(
  {
    say,
    fails,
    forever,
    hoard,
    fills,
    tellsProcess,
    strays,
    throwsLater,
    waitMs = 0,
    count = 0,
  }: {
    say?: string;
    fails?: true;
    forever?: true;
    hoard?: true;
    fills?: true;
    tellsProcess?: true;
    strays?: true;
    throwsLater?: true;
    waitMs?: number;
    count?: number;
  },
  post: (message: unknown) => void,
) {
  if (fails) throw new Error('It is meant to fail.');
  for (let index = 0; index < count; index++) post(index);
  while (forever);
  if (hoard) for (const all: unknown[] = []; ; ) all.push(Array.from({ length: 10_000 }, () => ({ all })));
  if (fills) filled.push(Buffer.alloc(300_000_000, 1));
  if (strays) Promise.reject(new Error('Nobody waits for it.'));
  if (throwsLater) {
    setImmediate(() => {
      throw new Error('Nobody catches it.');
    });
  }
  if (waitMs > 0) await sleep(waitMs);
  if (tellsProcess) return { pid: process.pid, nice: getPriority(), variables: Object.keys(process.env) };
  return { said: say };
}
