import { expect, test } from 'vitest';
import { FairSlots } from '../../../src/platform/fair-shares/fair-slots.ts';

const giveBack = (slot: Disposable | undefined) => slot?.[Symbol.dispose]();
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('as long as a slot is free, calls do not wait', async () => {
  const slots = new FairSlots({ atOnce: 3 });
  await Promise.all([slots.take('a'), slots.take('a'), slots.take('a')]);
  expect(slots.waiting).toBe(0);
});

test('free slots go to the accounts with the fewest, before all that one account waits for', async () => {
  const slots = new FairSlots({ atOnce: 3 });
  const taken = [await slots.take('flood'), await slots.take('flood'), await slots.take('b')];
  const order: string[] = [];
  const waiting = ['flood 1', 'flood 2', 'b 1', 'c 1', 'c 2', 'd 1'].map(async (name) => {
    const slot = await slots.take(name.split(' ')[0] ?? '');
    order.push(name);
    taken.push(slot);
  });
  expect(slots.waiting).toBe(6);
  while (order.length < 6) {
    giveBack(taken.shift());
    await settled();
  }
  await Promise.all(waiting);
  // Once each account has been served, the next round begins.
  expect(order).toEqual(['c 1', 'd 1', 'flood 1', 'b 1', 'c 2', 'flood 2']);
  expect(slots.waiting).toBe(0);
});

test('an account with many calls has its turn among accounts that come back with one call at a time', async () => {
  const slots = new FairSlots({ atOnce: 2 });
  const order: string[] = [];
  let isOver = false;
  const use = async (account: string) => {
    using _slot = await slots.take(account);
    order.push(account);
    await settled();
  };
  const comeBack = async (account: string) => {
    while (!isOver) await use(account);
  };
  const others = ['a', 'b', 'c', 'd', 'e'].map(comeBack);
  await Promise.all(Array.from({ length: 20 }, () => use('busy')));
  isOver = true;
  await Promise.all(others);
  const turns = order.flatMap((account, index) => (account === 'busy' ? [index] : []));
  const gaps = turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0));
  // Each of the five others can come between two of its turns, and again while its slots are taken.
  expect(Math.max(...gaps)).toBeLessThanOrEqual(12);
});

test('a call that waits too long gets the error and leaves the queue', async () => {
  const slots = new FairSlots({ atOnce: 1, timeout: { ms: 20, error: () => new Error('Too late.') } });
  const slot = await slots.take('a');
  await expect(slots.take('b')).rejects.toThrow('Too late.');
  expect(slots.waiting).toBe(0);
  giveBack(slot);
  giveBack(await slots.take('c'));
});

test('a cancelled call gets the reason and leaves the queue', async () => {
  const slots = new FairSlots({ atOnce: 1 });
  const slot = await slots.take('a');
  const cancellation = new AbortController();
  const cancelled = slots.take('b', cancellation.signal);
  cancellation.abort(new Error('The client disconnected.'));
  await expect(cancelled).rejects.toThrow('The client disconnected.');
  giveBack(slot);
  giveBack(await slots.take('c'));
});
