import { expect, test } from 'vitest';
import { fetchNodes, remember } from '../../../src/lib/tree/source.ts';
import { makeStore } from './store.ts';

const makeFilledStore = () => {
  const store = makeStore<{ hash: string }>();
  store.add([{ hash: 'a' }, { hash: 'b' }]);
  return store;
};

test('loads each hash once, and all new ones together', async () => {
  const store = makeFilledStore();
  const source = remember(store.source);
  expect([...(await source(['a', 'a', 'none'])).keys()]).toEqual(['a']);
  expect([...(await source(['b', 'a'])).keys()]).toEqual(['b', 'a']);
  await source(['a', 'b']);
  expect(store).toMatchObject({ calls: 2, loaded: 2 });
});

test('returns added nodes before they are stored', async () => {
  const store = makeFilledStore();
  const source = remember(store.source);
  source.add([{ hash: 'new' }]);
  expect(await source(['new'])).toEqual(new Map([['new', { hash: 'new' }]]));
  expect(store.calls).toBe(0);
});

test('loads nothing for no hashes, and throws for an unknown hash', async () => {
  const store = makeFilledStore();
  expect(await fetchNodes(store.source, [])).toEqual(new Map());
  expect(store.calls).toBe(0);
  await expect(fetchNodes(store.source, ['a', 'none'])).rejects.toThrow('none, which is not stored');
});
