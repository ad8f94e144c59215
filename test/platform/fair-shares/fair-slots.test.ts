import { expect, test } from 'vitest';
import { Cancellation } from '../../../src/platform/context/cancellation.ts';
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
  expect(order.slice(0, 2)).toEqual(['c 1', 'd 1']);
  expect(new Set(order)).toEqual(new Set(['flood 1', 'flood 2', 'b 1', 'c 1', 'c 2', 'd 1']));
  expect(slots.waiting).toBe(0);
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
  const cancellation = new Cancellation();
  const cancelled = slots.take('b', cancellation);
  cancellation.cancel(new Error('The client disconnected.'));
  await expect(cancelled).rejects.toThrow('The client disconnected.');
  giveBack(slot);
  giveBack(await slots.take('c'));
});
