import { expect, test } from 'vitest';
import { LruMap } from '../../src/lib/lru.ts';

test('keeps the entries that were used last', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
});

test('keeps entries up to a sum of weights', () => {
  const map = new LruMap<string, number>(10, (key) => key.length);
  map.set('aaaa', 1);
  map.set('bbbb', 2);
  map.set('aaaa', 3);
  expect(map.size).toBe(2);
  map.set('ccccc', 4);
  expect([map.get('aaaa'), map.get('bbbb'), map.get('ccccc')]).toEqual([3, undefined, 4]);
  map.set('dddddddd', 5);
  expect([map.get('dddddddd'), map.size]).toEqual([5, 1]);
});

test('an entry that is too heavy drives out nothing', () => {
  const map = new LruMap<string, number>(10, (key) => key.length);
  map.set('aaaa', 1);
  map.set('b'.repeat(11), 2);
  expect([map.get('aaaa'), map.size]).toEqual([1, 1]);
});

test('an entry may be weighed by its value', () => {
  const map = new LruMap<string, number>(10, (_key, value) => value);
  map.set('a', 6);
  map.set('b', 4);
  map.set('a', 2);
  map.set('c', 4);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([2, 4, 4]);
  map.set('d', 9);
  expect([map.size, map.get('d')]).toEqual([1, 9]);
});
