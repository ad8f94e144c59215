import { expect, test } from 'vitest';
import { asAccount } from '../../src/platform/context/account.ts';
import { FairGate } from '../../src/platform/database/fair-gate.ts';

const as = (gate: FairGate, account: string) => asAccount(account, () => gate.enter());

test('as long as a connection is free, nobody waits', async () => {
  const gate = new FairGate({ max: 3, timeoutMs: 10_000 });
  await Promise.all([as(gate, 'a'), as(gate, 'a'), as(gate, 'a')]);
  expect(gate.waiting).toBe(0);
});

test('the next one goes to the account with the fewest, then to the one that waits for its first', async () => {
  const gate = new FairGate({ max: 3, timeoutMs: 10_000 });
  const taken = [await as(gate, 'flood'), await as(gate, 'flood'), await as(gate, 'b')];
  const order: string[] = [];
  const waiting = ['flood 1', 'flood 2', 'b 1', 'c 1', 'c 2', 'd 1'].map(async (name) => {
    const leave = await as(gate, name.split(' ')[0] ?? '');
    order.push(name);
    taken.push(leave);
  });
  expect(gate.waiting).toBe(6);
  for (let turn = 0; turn < 6; turn++) {
    taken.shift()?.();
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(waiting);
  // Once each account has been served, the next round begins.
  expect(order).toEqual(['c 1', 'flood 1', 'b 1', 'd 1', 'c 2', 'flood 2']);
  for (const leave of taken) leave();
  expect(gate.waiting).toBe(0);
});

test('a request that waits too long gets the error of the pool and leaves the queue', async () => {
  const gate = new FairGate({ max: 1, timeoutMs: 20 });
  const leave = await as(gate, 'a');
  await expect(as(gate, 'b')).rejects.toThrow('timeout exceeded when trying to connect');
  expect(gate.waiting).toBe(0);
  leave();
  (await as(gate, 'c'))();
});
