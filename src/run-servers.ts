import cluster, { type Worker } from 'node:cluster';
import { on, once } from 'node:events';
import type { Logger } from 'pino';
import { markHandled } from './lib/mark-handled.ts';

/** What server processes take over from the process that starts them. */
export interface Inherited {
  databaseUrl: string;
  secretKey: string;
  previousKey: string | undefined;
}

const VARIABLE = 'STEMMA_INHERITED';

/** Sent to a server process to stop it, and by one that got a signal. */
const STOP = 'stop';

/** Sent to all server processes before they are stopped, and by each once it has drained. */
const DRAIN = 'drain';
const DRAINED = 'drained';

interface Drain {
  type: typeof DRAIN;
  delayMs: number;
}

/** A terminal sends its signal to all processes. Within this time the process that started the others has it too. */
const SIGNAL_MS = 200;

/** Delay before a process that ended is replaced, in milliseconds. Doubled for each one that ends before it listens. */
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;
/** Number of processes in a row that end before they listen, after which the service stops. */
const MAX_FAILURES = 8;

/** What a server process takes over; undefined in other processes. */
export function readInherited(): Inherited | undefined {
  const text = process.env[VARIABLE];
  if (!cluster.isWorker || text === undefined) return undefined;
  // Commands that this process starts have no use for the secret.
  delete process.env[VARIABLE];
  return JSON.parse(text) as Inherited; // written below
}

/**
 * Calls `stop` when the process that started this server process stops it. By then, all connections that were passed to
 * this process have arrived, and it gets no more.
 */
export function onceStopped(stop: () => void): void {
  process.on('message', (message) => {
    if (message === STOP) stop();
  });
}

/** Calls `drain` before the server processes stop. They stop once the `drain` of each of them has resolved. */
export function onceDraining(drain: (delayMs: number) => Promise<void>): void {
  const drained = async (delayMs: number) => {
    await drain(delayMs);
    process.send?.(DRAINED, undefined, undefined, () => {});
  };
  process.on('message', (message) => {
    if (isDrain(message)) markHandled(drained(message.delayMs));
  });
}

const isDrain = (message: unknown): message is Drain =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === DRAIN;

/** Asks the process that started this server process to stop it. */
export function requestStop(): void {
  process.send?.(STOP, undefined, undefined, () => {}); // If that process is gone, this one ends by itself.
}

export interface Servers {
  /** The port, once all processes listen. Rejects if one ends before it listens; the others are stopped then. */
  port: Promise<number>;
  /** Stops all processes gracefully and waits for them. They accept connections for `delayMs` more. */
  stop(delayMs: number): Promise<void>;
}

/** Until they have ended: `cluster.workers` forgets those that are being stopped. */
const running = new Set<Worker>();

/** Ends all server processes at once. */
export function killServers(): void {
  for (const worker of running) worker.process.kill('SIGKILL');
}

/**
 * Starts processes that serve one port. One that ends after all of them have listened is replaced. If replacements end
 * before they listen, again and again, `onFailure` is called.
 */
export function startServers(
  count: number,
  { inherit, log, onFailure }: { inherit: Inherited; log: Logger; onFailure(error: Error): void },
): Servers {
  let isStopping = false;
  let failures = 0;
  /** Processes that are still to be started. Their timers keep this process running, also while no other process does. */
  const replacements = new Set<NodeJS.Timeout>();
  const fork = () => {
    const worker = cluster.fork({ ...process.env, [VARIABLE]: JSON.stringify(inherit) });
    running.add(worker);
    worker.once('exit', () => running.delete(worker));
    // It ends while it is sent something; its exit is handled.
    worker.on('error', () => {});
    worker.on('message', (message) => {
      const stopAlone = () => {
        if (!isStopping) markHandled(stopWorker(worker));
      };
      if (message === STOP) setTimeout(stopAlone, SIGNAL_MS).unref();
    });
    return worker;
  };
  const replace = (worker: Worker, hasListened: boolean) => {
    if (isStopping) return;
    failures = hasListened ? 0 : failures + 1;
    if (failures >= MAX_FAILURES) return onFailure(new Error('The server processes exit before they listen.'));
    const delay = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
    log.error({ pid: worker.process.pid, delay }, 'a server process ended and is replaced');
    const replacement = setTimeout(() => {
      replacements.delete(replacement);
      watch(fork());
    }, delay);
    replacements.add(replacement);
  };
  const watch = (worker: Worker, isListening = false) => {
    let hasListened = isListening;
    worker.once('listening', () => {
      hasListened = true;
    });
    worker.once('exit', () => replace(worker, hasListened));
  };
  const stop = async (delayMs: number) => {
    isStopping = true;
    for (const replacement of replacements) clearTimeout(replacement);
    // The port closes once no process listens, and connections that wait to be accepted would be reset.
    await Promise.all([...running].map((worker) => drainWorker(worker, delayMs)));
    await Promise.all([...running].map(stopWorker));
  };
  const watchAll = async (workers: Worker[]) => {
    try {
      const [port = 0] = await Promise.all(workers.map(listening));
      for (const worker of workers) {
        if (worker.isDead()) replace(worker, true);
        else watch(worker, true);
      }
      return port;
    } catch (error) {
      await stop(0);
      throw error;
    }
  };
  return { port: markHandled(watchAll(Array.from({ length: count }, fork))), stop };
}

/** Waits until a process listens, and returns its port. */
async function listening(worker: Worker): Promise<number> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(worker, 'listening', { signal }).then(([{ port }]) => Number(port)),
      once(worker, 'exit', { signal }).then(([code, cause]) => {
        throw new Error(`A server process ended before it listened (${cause ?? `exit code ${code}`}).`);
      }),
    ]);
  } finally {
    over.abort();
  }
}

async function drainWorker(worker: Worker, delayMs: number): Promise<void> {
  if (worker.isDead() || !worker.isConnected()) return;
  const over = new AbortController();
  const { signal } = over;
  try {
    worker.send({ type: DRAIN, delayMs } satisfies Drain, () => {});
    await Promise.race([
      untilDrained(worker, signal),
      once(worker, 'exit', { signal }),
      once(worker, 'disconnect', { signal }),
    ]);
  } finally {
    over.abort();
  }
}

async function untilDrained(worker: Worker, signal: AbortSignal): Promise<void> {
  for await (const [message] of on(worker, 'message', { signal })) if (message === DRAINED) return;
}

/**
 * Connections are taken from the process before it stops: one that it gets later, when no other process listens, would
 * be kept here unanswered.
 */
async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exited = once(worker, 'exit');
  if (worker.isConnected()) {
    worker.send(STOP, () => {});
    worker.disconnect();
  }
  await exited;
}
