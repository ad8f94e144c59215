import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CachedResponse, ResponseCache, toCached } from '../../src/domain/publishing/reader/cache.ts';
import { lawRuns } from '../how-thorough.ts';

const MAX = 100_000;
const SHARE = 25_000;

const answerOf = (bytes: number): CachedResponse => toCached({ status: 200, headers: {}, body: 'x'.repeat(bytes) });

test('one owner without number of answers evicts its own, and not those of others', () => {
  const cache = new ResponseCache(MAX, SHARE);
  for (const key of ['home', 'guide']) cache.set({ owner: 'small', key }, answerOf(1_000));
  for (let count = 0; count < 500; count++) cache.set({ owner: 'large', key: `claims ${count}` }, answerOf(1_000));
  expect(cache.get({ owner: 'small', key: 'home' })).toBeDefined();
  expect(cache.get({ owner: 'small', key: 'guide' })).toBeDefined();
  expect(cache.get({ owner: 'large', key: 'claims 0' })).toBeUndefined();
  expect(cache.get({ owner: 'large', key: 'claims 499' })).toBeDefined();
});

test('keys of different owners do not meet', () => {
  const cache = new ResponseCache(MAX, SHARE);
  cache.set({ owner: 'a', key: 'home' }, answerOf(1));
  expect(cache.get({ owner: 'b', key: 'home' })).toBeUndefined();
});

test('an answer is kept only as long as it says', () => {
  const cache = new ResponseCache(MAX, SHARE);
  cache.set({ owner: 'a', key: 'past' }, { ...answerOf(1), cacheMs: 1 });
  cache.set({ owner: 'a', key: 'future' }, { ...answerOf(1), cacheMs: 3_600_000 });
  const began = performance.now();
  while (performance.now() - began < 5);
  expect(cache.get({ owner: 'a', key: 'past' })).toBeUndefined();
  expect(cache.get({ owner: 'a', key: 'future' })).toBeDefined();
});

test('whatever is kept fits, and an owner below the mean share of all loses nothing', () => {
  const sets = fc.array(fc.record({ owner: fc.nat(9), key: fc.nat(30), bytes: fc.nat(3_000) }), { maxLength: 300 });
  fc.assert(
    fc.property(sets, (all) => {
      const cache = new ResponseCache(MAX, SHARE);
      const last = new Map<string, number>();
      for (const { owner, key, bytes } of all) {
        cache.set({ owner: `${owner}`, key: `${key}` }, answerOf(bytes));
        last.set(`${owner} ${key}`, bytes);
      }
      const weight = (bytes: number) => Math.ceil(bytes * 1.5) + 2_000;
      const given = new Map<string, number>();
      let total = 0;
      for (const [name, bytes] of last) {
        const [owner = '', key = ''] = name.split(' ');
        given.set(owner, (given.get(owner) ?? 0) + weight(bytes));
        if (cache.get({ owner, key })) total += weight(bytes);
      }
      expect(total).toBeLessThanOrEqual(MAX);
      // What was ever set for an owner, with replaced answers, is an upper bound of what it had.
      const ever = Map.groupBy(all, ({ owner }) => owner);
      for (const [owner, own] of ever) {
        const most = own.reduce((sum, { bytes }) => sum + weight(bytes), 0);
        if (most > MAX / 10 - weight(3_000)) continue;
        for (const { key } of own) expect(cache.get({ owner: `${owner}`, key: `${key}` })).toBeDefined();
      }
    }),
    { numRuns: lawRuns(50) },
  );
});
