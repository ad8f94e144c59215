import { loggable } from '../loggable.ts';
import type { FromProcess, ToProcess } from './heavy-process.ts';
import { makePool, type Pool } from './pool.ts';
import type { StrayRejection } from './thread.ts';

/**
 * Entry point of the process in which heavy work runs. It ends with the process that started it, which logs and counts its
 * faults. It goes on after a rejection that nothing handled. After an exception that nothing caught, it gets no more work,
 * and ends when its running work has ended, or after ten seconds.
 */

const LEAVES_WITHIN_MS = 10_000;

const pools = new Map<string, Pool>();
const running = new Map<number, AbortController>();

function poolOf(options: Parameters<typeof makePool>[0]): Pool {
  const key = JSON.stringify(options);
  const pool = pools.get(key) ?? makePool(options, reportRejection);
  pools.set(key, pool);
  return pool;
}

const send = (sent: FromProcess) => void process.send?.(sent, undefined, undefined, () => {});

async function run({ id, pool, ...work }: Extract<ToProcess, { pool: unknown }>): Promise<void> {
  const cancelled = new AbortController();
  running.set(id, cancelled);
  try {
    const onMessage = (message: unknown) => send({ id, message });
    send({ id, answer: await poolOf(pool).run(work, onMessage, cancelled.signal) });
  } catch (error) {
    send({ id, answer: failureOf(error) });
  } finally {
    running.delete(id);
    endIfIdle();
  }
}

const failureOf = (error: unknown) => ({
  failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
});

process.on('message', (request: ToProcess) => {
  if ('pool' in request) run(request).catch((error: unknown) => send({ id: request.id, answer: failureOf(error) }));
  else running.get(request.id)?.abort();
});
process.on('disconnect', () => process.exit());

let isLeaving = false;

function endIfIdle(): void {
  // What was sent last arrives before the process ends.
  if (isLeaving && running.size === 0) process.disconnect?.();
}

function reportRejection({ unhandledRejection: error }: StrayRejection): void {
  send({ fault: 'unhandled_rejection', error });
}

process.on('unhandledRejection', (reason) => reportRejection({ unhandledRejection: loggable(reason) }));
process.on('uncaughtException', (error) => {
  send({ fault: 'uncaught_exception', error: loggable(error) });
  process.exitCode = 1;
  if (isLeaving) return;
  isLeaving = true;
  setTimeout(() => process.exit(), LEAVES_WITHIN_MS);
  endIfIdle();
});
