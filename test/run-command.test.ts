import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';

test('a second signal ends a command that does not stop at the first one', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'stubborn-command.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  child.kill('SIGTERM'); // counts as the same one
  await sleep(1_200);
  expect(child.exitCode).toBeNull();
  child.kill('SIGINT');
  const late = sleep(5_000, 'late', { ref: false });
  const first = await Promise.race([ended, late]);
  child.kill('SIGKILL');
  expect(first).toEqual([1, null]);
});
