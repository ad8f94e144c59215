import { afterAll, expect, test } from 'vitest';
import { makeThreadPool, ThreadTimeout } from '../../src/platform/threads/thread-pool.ts';
import type { work } from './thread-work.ts';

const pool = makeThreadPool(2);
afterAll(() => pool.close());

const run = (input: Parameters<typeof work>[0], limitMs = 60_000) =>
  pool.run<typeof work>(new URL('./thread-work.ts', import.meta.url), input, limitMs);

test('answers what the function of the module answers, however many ask at once', async () => {
  const said = await Promise.all(Array.from({ length: 20 }, (_, index) => run({ say: `${index}` })));
  expect(said).toEqual(Array.from({ length: 20 }, (_, index) => ({ said: `${index}` })));
});

test('a failure is told, and the thread goes on', async () => {
  await expect(run({ fails: true })).rejects.toThrow('It is meant to fail.');
  expect(await run({ say: 'still here' })).toEqual({ said: 'still here' });
});

test('work without an end is ended, and the next is done', async () => {
  const endless = await Promise.allSettled([1, 2, 3].map(() => run({ forever: true }, 50)));
  expect(endless.map((each) => each.status === 'rejected' && each.reason)).toEqual(
    Array(3).fill(expect.any(ThreadTimeout)),
  );
  expect(await run({ say: 'after' })).toEqual({ said: 'after' });
});

test('work that takes all memory ends with its thread alone', async () => {
  await expect(run({ hoard: true })).rejects.toThrow(/memory/);
  expect(await run({ say: 'alive' })).toEqual({ said: 'alive' });
}, 120_000);

test('refuses more than 200 that wait', async () => {
  const busy = Promise.allSettled([run({ forever: true }, 300), run({ forever: true }, 300)]);
  const waiting = Array.from({ length: 200 }, () => run({ say: 'x' }));
  await expect(run({ say: 'one more' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await busy;
  expect(await Promise.all(waiting)).toHaveLength(200);
});

test('nothing is left undecided when it closes', async () => {
  const closing = makeThreadPool(1);
  const asked = Promise.allSettled(
    [1, 2].map(() => closing.run<typeof work>(new URL('./thread-work.ts', import.meta.url), { forever: true }, 60_000)),
  );
  await closing.close();
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
