import type { FromProcess, ToProcess } from './heavy-process.ts';
import { makePool, type Pool } from './pool.ts';

/** Entry point of the process in which heavy work runs. It ends with the process that started it. */

const pools = new Map<string, Pool>();
const running = new Map<number, AbortController>();

function poolOf(options: Parameters<typeof makePool>[0]): Pool {
  const key = JSON.stringify(options);
  const pool = pools.get(key) ?? makePool(options);
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
    send({ id, answer: { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) } });
  } finally {
    running.delete(id);
  }
}

process.on('message', (request: ToProcess) => {
  if ('pool' in request) void run(request);
  else running.get(request.id)?.abort();
});
process.on('disconnect', () => process.exit());
