import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface WorkerProcess {
  /** Whether it has not ended by itself. */
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** Starts the program of a worker and waits until it works. Needs `LOG_LEVEL` info. */
export async function startWorker(file: string, environment: Record<string, string>): Promise<WorkerProcess> {
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
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
