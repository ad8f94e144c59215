import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withMutex } from '../../src/platform/mutex.ts';

test('what has one key runs one after the other, in the order it was asked for; other keys do not wait', async () => {
  const steps: string[] = [];
  const run = (key: string, name: string, milliseconds: number) =>
    withMutex(key, async () => {
      steps.push(`${name} begins`);
      await sleep(milliseconds);
      steps.push(`${name} ends`);
      return name;
    });
  const answers = await Promise.all([run('a', 'first', 30), run('a', 'second', 1), run('b', 'other', 10)]);
  expect(answers).toEqual(['first', 'second', 'other']);
  expect(steps).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends']);
});

test('one that fails keeps nobody after it from a turn', async () => {
  const failing = withMutex('c', () => Promise.reject(new Error('no')));
  const next = withMutex('c', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
