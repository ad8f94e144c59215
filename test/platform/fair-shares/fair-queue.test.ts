import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue, type Share } from '../../../src/platform/fair-shares/fair-queue.ts';

interface Item extends Share {
  name: string;
}

const BOUNDS = { atOnce: 2, atOncePerOwner: 1, waiting: 1_000, waitingPerOwner: 1_000 };

const items = (owner: string, count: number, caller = owner): Item[] =>
  Array.from({ length: count }, (_, index) => ({ owner, caller, name: `${caller}${index}` }));

/** The owners in the order in which they are served, one piece after the other, each as long. */
function served(queue: FairQueue<Item>, milliseconds: (item: Item) => number = () => 1): Item[] {
  const order: Item[] = [];
  for (let item = queue.next(); item; item = queue.next()) {
    order.push(item);
    queue.ended(item, milliseconds(item));
  }
  return order;
}

test('owners take turns, regardless of arrival and amount', () => {
  const queue = new FairQueue<Item>({ ...BOUNDS, atOnce: 1 });
  for (const item of [...items('a', 5), ...items('b', 2), ...items('c', 1)]) queue.add(item);
  expect(served(queue).map(({ name }) => name)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3', 'a4']);
});

test('within an owner callers take turns', () => {
  const queue = new FairQueue<Item>({ ...BOUNDS, atOnce: 1 });
  for (const item of [...items('a', 3, 'flooder'), ...items('a', 2, 'other')]) queue.add(item);
  expect(served(queue).map(({ caller }) => caller)).toEqual(['flooder', 'other', 'flooder', 'other', 'flooder']);
});

test("work that a transaction waits for is first among its owner's", () => {
  const queue = new FairQueue<Item>({ ...BOUNDS, atOnce: 1 });
  const urgent = items('a', 1, 'other').map((item) => ({ ...item, isUrgent: true }));
  for (const item of [...items('a', 2), ...urgent]) queue.add(item);
  expect(served(queue).map(({ name }) => name)).toEqual(['other0', 'a0', 'a1']);
});

test('owners of longer work are served less often', () => {
  const queue = new FairQueue<Item>({ ...BOUNDS, atOnce: 1 });
  for (const item of [...items('slow', 4), ...items('quick', 12)]) queue.add(item);
  const first = served(queue, ({ owner }) => (owner === 'slow' ? 3 : 1)).slice(0, 8);
  expect(first.filter(({ owner }) => owner === 'quick')).toHaveLength(6);
});

test('a new owner is next, without credit for earlier time', () => {
  const queue = new FairQueue<Item>({ ...BOUNDS, atOnce: 1 });
  for (const item of items('a', 60)) queue.add(item);
  for (let count = 0; count < 50; count++) {
    const item = queue.next();
    if (item) queue.ended(item, 1_000);
  }
  for (const item of items('b', 10)) queue.add(item);
  const order = served(queue, () => 1_000).map(({ owner }) => owner);
  expect(order.slice(0, 10).filter((owner) => owner === 'b')).toHaveLength(5);
});

test('one place is reserved for other owners', () => {
  const queue = new FairQueue<Item>(BOUNDS);
  for (const item of items('a', 3)) queue.add(item);
  expect(queue.next()?.owner).toBe('a');
  expect(queue.next()).toBeUndefined();
  const [b] = items('b', 1);
  if (b) queue.add(b);
  expect(queue.next()).toBe(b);
});

test('excess work is refused to its owner only', () => {
  const queue = new FairQueue<Item>({ ...BOUNDS, waitingPerOwner: 2, waiting: 3 });
  const [a1, a2, a3] = items('a', 3);
  const [b, c] = [...items('b', 1), ...items('c', 1)];
  const add = (item: Item | undefined) => item && queue.add(item);
  expect([add(a1), add(a2)]).toEqual([undefined, undefined]);
  expect(add(a3)).toBe(a3);
  expect(add(b)).toBeUndefined();
  // All is full: the owner with the longest line loses the newest of it.
  expect(add(c)).toBe(a2);
  expect(served(queue)).toEqual([a1, b, c]);
});

test('cancelled work is not run', () => {
  const queue = new FairQueue<Item>(BOUNDS);
  const [first, second] = items('a', 2);
  for (const item of [first, second]) if (item) queue.add(item);
  if (first) queue.remove(first);
  if (first) queue.remove(first);
  expect(served(queue)).toEqual([second]);
});

test('all work runs once, within the bounds, evenly among waiting owners', () => {
  const step = fc.oneof(
    fc.record({ add: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ end: fc.nat(3) }),
    fc.record({ remove: fc.nat(20) }),
  );
  const bounds = { atOnce: 3, atOncePerOwner: 2, waiting: 12, waitingPerOwner: 6 };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new FairQueue<Item>(bounds);
      const waiting = new Set<Item>();
      const running: Item[] = [];
      for (const [index, each] of steps.entries()) {
        if ('add' in each) {
          const item = { owner: each.add, caller: each.add, name: `${index}` };
          waiting.add(item);
          const left = queue.add(item);
          if (left) expect(waiting.delete(left)).toBe(true);
        } else if ('end' in each) {
          const [item] = running.splice(each.end % Math.max(1, running.length), 1);
          if (item) queue.ended(item, 1);
        } else {
          const item = [...waiting][each.remove];
          if (item) {
            waiting.delete(item);
            queue.remove(item);
          }
        }
        for (let item = queue.next(); item; item = queue.next()) {
          expect(waiting.delete(item)).toBe(true);
          running.push(item);
        }
        const count = (owner: string, among: Iterable<Item>) => [...among].filter((one) => one.owner === owner).length;
        expect(running.length).toBeLessThanOrEqual(bounds.atOnce);
        expect(waiting.size).toBeLessThanOrEqual(bounds.waiting);
        for (const owner of ['a', 'b', 'c']) {
          expect(count(owner, running)).toBeLessThanOrEqual(bounds.atOncePerOwner);
          expect(count(owner, waiting)).toBeLessThanOrEqual(bounds.waitingPerOwner);
          // Nobody waits while there is a place that it may have.
          if (running.length < bounds.atOnce && count(owner, running) < bounds.atOncePerOwner)
            expect(count(owner, waiting)).toBe(0);
        }
      }
    }),
  );
});
