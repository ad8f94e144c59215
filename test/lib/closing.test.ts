import { expect, test } from 'vitest';
import { Closing } from '../../src/lib/closing.ts';

test('what was opened last is closed first, each after the one before has closed', async () => {
  const closing = new Closing();
  const log: string[] = [];
  closing.add(() => log.push('one'));
  closing.add(async () => {
    await Promise.resolve();
    log.push('two');
  });
  closing.add(() => log.push('three'));
  await closing.close();
  expect(log).toEqual(['three', 'two', 'one']);
});

test('a failure does not keep the rest open, and the first one is thrown', async () => {
  const closing = new Closing();
  const log: string[] = [];
  closing.add(() => log.push('one'));
  closing.add(() => Promise.reject(new Error('second')));
  closing.add(() => {
    throw new Error('first');
  });
  await expect(closing.close()).rejects.toThrow('first');
  expect(log).toEqual(['one']);
});

test('later calls wait for the same closing', async () => {
  const closing = new Closing();
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  closing.add(() => {
    count++;
    return promise;
  });
  const both = Promise.all([closing.close(), closing.close()]);
  resolve();
  await both;
  await closing.close();
  expect(count).toBe(1);
});
