import { expect, test } from 'vitest';
import { inTurn } from '../../src/platform/in-turn.ts';

test('what has one key runs one after the other, in the order it was asked for; other keys do not wait', async () => {
  const steps: string[] = [];
  const run = (key: string, name: string, until?: Promise<void>) =>
    inTurn(key, async () => {
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

test('one that fails keeps nobody after it from a turn', async () => {
  const failing = inTurn('c', () => Promise.reject(new Error('no')));
  const next = inTurn('c', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
