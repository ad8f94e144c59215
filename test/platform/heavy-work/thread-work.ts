import { resourceLimits } from 'node:worker_threads';

/** What the tests of threads have done in them. */
export async function work(
  {
    say,
    fails,
    forever,
    hoard,
    tellsLimits,
    count = 0,
  }: { say?: string; fails?: true; forever?: true; hoard?: true; tellsLimits?: true; count?: number },
  post: (message: number) => void,
) {
  if (fails) throw new Error('It is meant to fail.');
  for (let index = 0; index < count; index++) post(index);
  while (forever);
  if (hoard) for (const all: unknown[] = []; ; ) all.push(Array.from({ length: 10_000 }, () => ({ all })));
  return { said: say, ...(tellsLimits && { resourceLimits }) };
}
