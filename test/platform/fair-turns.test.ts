import { expect, test } from 'vitest';
import { makePause } from '../../src/lib/pause.ts';
import { FairTurns } from '../../src/platform/http/fair-turns.ts';

/** Holds the event loop. */
function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

const turnsOf = () => {
  const turns = new FairTurns();
  const begun: string[] = [];
  const request = async (account: string, milliseconds: number) => {
    const turn = turns.enter(account);
    if (turn) await turn;
    begun.push(account);
    work(milliseconds);
  };
  return { begun, request };
};

test('a request begins at once in a turn that is young', () => {
  expect(new FairTurns().enter('anna')).toBeUndefined();
});

test('one request of an account begins before most of the many of another', async () => {
  const { begun, request } = turnsOf();
  const all = Array.from({ length: 40 }, () => request('many', 9));
  all.push(request('one', 0));
  await Promise.all(all);
  expect(begun).toHaveLength(41);
  expect(begun.indexOf('one')).toBeLessThan(5);
});

test('the event loop runs other work between requests that take long', async () => {
  const { begun, request } = turnsOf();
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

test('requests of one account begin in their order, and none is left', async () => {
  const turns = new FairTurns();
  const begun: number[] = [];
  await Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => {
      const turn = turns.enter('anna');
      if (turn) await turn;
      begun.push(index);
      work(index % 100 === 0 ? 10 : 0);
    }),
  );
  expect(begun).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
});

test('requests begin beside long work that fills every turn', async () => {
  const { begun, request } = turnsOf();
  let pauses = 0;
  const longWork = async () => {
    const pause = makePause();
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
