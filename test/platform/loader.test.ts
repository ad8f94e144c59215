import { expect, test } from 'vitest';
import type { Context } from '../../src/platform/context/context.ts';
import { andThen, batchLoader } from '../../src/platform/reads/loader.ts';

/** Loaders need nothing of a context but that it is one. */
const request = () => ({}) as Context;

/** Upper-case keys. The batches are noted. A key `bad` fails. */
function upperCase() {
  const batches: string[][] = [];
  const load = batchLoader<string>('upper-case', async (_ctx, keys) => {
    batches.push(keys);
    if (keys.includes('bad')) throw new Error('bad key');
    return new Map(keys.filter((key) => key !== 'absent').map((key) => [key, key.toUpperCase()]));
  });
  return { batches, load };
}

test('what is asked for in one tick is read together, each key once in a request', async () => {
  const { batches, load } = upperCase();
  const ctx = request();
  expect(await Promise.all([load(ctx, 'a'), load(ctx, 'b'), load(ctx, 'a'), load(ctx, 'absent')])).toEqual([
    'A',
    'B',
    'A',
    undefined,
  ]);
  expect(await Promise.all([load(ctx, 'absent'), load(ctx, 'b')])).toEqual([undefined, 'B']);
  expect(await load(request(), 'a')).toBe('A');
  expect(batches).toEqual([['a', 'b', 'absent'], ['a']]);
});

test('lists of one tick are read together, whatever their length, and then known without a promise', async () => {
  const { batches, load } = upperCase();
  const ctx = request();
  const many = Array.from({ length: 5_000 }, (_, index) => `key ${index}`);
  await Promise.all([
    load.loadMany(ctx, many),
    load.loadMany(ctx, ['key 1', 'other', 'absent']),
    load.loadMany(ctx, []),
  ]);
  expect(batches.map(({ length }) => length)).toEqual([5_002]);
  expect([load.peek(ctx, 'key 7'), load.peek(ctx, 'other'), load.peek(ctx, 'absent')]).toEqual([
    'KEY 7',
    'OTHER',
    undefined,
  ]);
  await load.loadMany(ctx, many);
  expect(await load(ctx, 'key 8')).toBe('KEY 8');
  expect(batches).toHaveLength(1);
});

test('the values of many keys are in the order of the keys', async () => {
  const { batches, load } = upperCase();
  const ctx = request();
  load.prime(ctx, 'b', 'primed');
  expect(await load.loadMany(ctx, ['c', 'absent', 'b', 'c'])).toEqual(['C', undefined, 'primed', 'C']);
  expect(await load.loadMany(ctx, [])).toEqual([]);
  expect(batches).toEqual([['c', 'absent']]);
});

test('a value that is not read yet is a promise, which is used like a value', async () => {
  const { load } = upperCase();
  const ctx = request();
  const length = (text: string | undefined) => text?.length ?? 0;
  const later = andThen(load.peek(ctx, 'long'), length);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toBe(4);
  expect(andThen(load.peek(ctx, 'long'), length)).toBe(4);
});

test('a read that fails is an error for those who wait for it, and can be tried again', async () => {
  const { load } = upperCase();
  const ctx = request();
  await expect(load.loadMany(ctx, ['a', 'bad'])).rejects.toThrow('bad key');
  await load.loadMany(ctx, ['a']);
  expect(load.peek(ctx, 'a')).toBe('A');
});

test('a value that was read otherwise is not read again', async () => {
  const { batches, load } = upperCase();
  const ctx = request();
  load.prime(ctx, 'a', 'primed');
  expect([load.peek(ctx, 'a'), await load(ctx, 'a')]).toEqual(['primed', 'primed']);
  await load.loadMany(ctx, ['a']);
  expect(batches).toEqual([]);
});
