import { expect, test } from 'vitest';
import { withMutex } from '../../src/platform/operation/mutex.ts';

test('calls with one key run in order, and other keys do not wait', async () => {
  const steps: string[] = [];
  const run = (key: string, name: string, until?: Promise<void>) =>
    withMutex(key, async () => {
      steps.push(`${name} begins`);
      await until;
      steps.push(`${name} ends`);
      return name;
    });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const waiting = [run('a', 'first', released), run('a', 'second')];
  expect(await run('b', 'other')).toBe('other');
  release();
  expect(await Promise.all(waiting)).toEqual(['first', 'second']);
  expect(steps).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends']);
});

test('a failed call does not block the next', async () => {
  const failing = withMutex('c', () => Promise.reject(new Error('no')));
  const next = withMutex('c', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
