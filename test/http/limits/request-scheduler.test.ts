import { expect, test } from 'vitest';
import { makeYielder } from '../../../src/lib/tick.ts';
import { RequestScheduler } from '../../../src/platform/http/limits/request-scheduler.ts';

/** Holds the event loop. */
function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

const scheduled = () => {
  const scheduler = new RequestScheduler();
  const begun: string[] = [];
  const request = async (account: string, milliseconds: number) => {
    const started = scheduler.enter(account);
    if (started) await started;
    begun.push(account);
    work(milliseconds);
  };
  return { begun, request };
};

test('a request starts at once early in a tick', () => {
  expect(new RequestScheduler().enter('anna')).toBeUndefined();
});

test('one request of an account starts before most of the many of another', async () => {
  const { begun, request } = scheduled();
  const all = Array.from({ length: 40 }, () => request('many', 9));
  all.push(request('one', 0));
  await Promise.all(all);
  expect(begun).toHaveLength(41);
  expect(begun.indexOf('one')).toBeLessThan(5);
});

test('the event loop runs other work between requests that take long', async () => {
  const { begun, request } = scheduled();
  const all = Promise.all(Array.from({ length: 10 }, () => request('many', 9)));
  const seen: number[] = [];
  const look = () => {
    seen.push(begun.length);
    if (begun.length < 10) setImmediate(look);
  };
  setImmediate(look);
  await all;
  expect(seen.length).toBeGreaterThanOrEqual(8);
});

test('requests of one account start in their order, and none is left', async () => {
  const scheduler = new RequestScheduler();
  const begun: number[] = [];
  await Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => {
      const started = scheduler.enter('anna');
      if (started) await started;
      begun.push(index);
      work(index % 100 === 0 ? 10 : 0);
    }),
  );
  expect(begun).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
});

test('requests start beside long work that fills every tick', async () => {
  const { begun, request } = scheduled();
  let pauses = 0;
  const longWork = async () => {
    const pause = makeYielder();
    for (; pauses < 200; pauses++) {
      work(5);
      await pause();
    }
  };
  const working = [longWork(), longWork()];
  await Promise.all(Array.from({ length: 10 }, (_, index) => request(String(index), 5)));
  expect(begun).toHaveLength(10);
  expect(pauses).toBeLessThan(100);
  await Promise.all(working);
});
