import { expect, test } from 'vitest';
import { closeAll, closeAtEndOfFile } from './closings.ts';
import { world } from './world.ts';

test('what is opened within a test is closed with its file, the latest first', async () => {
  const closed: string[] = [];
  closeAtEndOfFile(() => closed.push('first'));
  const closeSecond = closeAtEndOfFile(() => closed.push('second'));
  closeAtEndOfFile(() => closed.push('third'));
  await closeSecond();
  await closeAll();
  await closeAll();
  expect(closed).toEqual(['second', 'third', 'first']);
});

test('a service of a test is closed with its file', async () => {
  const { url, anonymous } = await world();
  expect((await anonymous.get('/healthz')).status).toBe(200);
  await closeAll();
  await expect(fetch(url)).rejects.toThrow();
});
