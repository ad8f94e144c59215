import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Starts the program of a worker, and returns a function that stops it. */
export async function startWorker(file: string, environment: Record<string, string>): Promise<() => Promise<void>> {
  const child = fork(file, {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  while (!text.includes('working')) {
    if (child.exitCode !== null) throw new Error('The worker ended before it worked.');
    await sleep(20);
  }
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
