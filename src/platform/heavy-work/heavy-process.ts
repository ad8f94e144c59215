import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Transferable } from 'node:worker_threads';
import type { FaultLog } from '../fault-log.ts';
import type { LoggableError } from '../loggable.ts';
import { ownModule } from '../own-files.ts';
import { noteException, noteRejection, type ProcessFault } from '../process-faults.ts';
import type { PoolOptions, PoolWork } from './pool.ts';
import type { ThreadAnswer } from './thread.ts';
import { WorkExceeded } from './work-exceeded.ts';

/**
 * The export `work` of modules for threads. Input, output and messages must be cloneable. Buffers that are named as the second
 * argument of `post` are moved out of the thread instead of copied.
 */
// biome-ignore lint/suspicious/noExplicitAny: each module has its own input.
export type Work = (input: any, post: (message: any, transferred?: Transferable[]) => void) => unknown;

export interface ThreadOptions {
  /** Ends the thread when aborted. The reason is thrown. */
  signal: AbortSignal;
  /** Time limit in milliseconds. Each message from the function restarts it. */
  limitMs: number;
  /** Whether the thread fills its heap. Such a thread ends with the work, so that its memory is free again. */
  isLarge?: boolean;
  /** Receives the messages of the function, all of them before `run` resolves. */
  onMessage?(message: unknown): void;
}

/** Threads of the process, with a limit of their number and of the memory of each. */
export interface Threads {
  /**
   * Runs the function `work` of a module in a thread. Input and output are copied (structured clone), which takes time
   * in this thread, so their size must be limited. Typed arrays in the output are parts of larger buffers. Fails with
   * `WorkExceeded`, the reason of the signal, or an error with the message of the thrown one. Ended threads are replaced.
   */
  run<Does extends Work>(
    module: URL,
    input: Parameters<Does>[0],
    options: ThreadOptions,
  ): Promise<Awaited<ReturnType<Does>>>;
}

export interface HeavyProcess {
  /** Threads are started on demand. */
  threads(options: PoolOptions): Threads;
  /** Ends the process. Running work fails. */
  close(): Promise<void>;
}

/** What the process is sent. */
export type ToProcess = ({ id: number; pool: PoolOptions } & PoolWork) | { id: number; cancels: true };

/** What it sends. */
export type FromProcess =
  | { id: number; message: unknown }
  | { id: number; answer: ThreadAnswer }
  | { fault: ProcessFault; error: LoggableError };

const ENTRY = fileURLToPath(ownModule('platform/heavy-work/heavy-process-entry.ts'));

/** Nothing else is passed on: the environment contains secrets. */
const PASSED_ON = ['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE', 'SystemRoot'];

/** How long it is kept while there is nothing to do. */
const IDLE_MS = 60_000;

interface Running {
  child: ChildProcess | undefined;
  request: { id: number; pool: PoolOptions } & PoolWork;
  /** Whether it has sent messages, so that it cannot be run again. */
  hasSpoken: boolean;
  /** Processes that ended while it ran. */
  deaths: number;
  onMessage(message: unknown): void;
  resolve(answer: ThreadAnswer): void;
}

/**
 * A process with threads for work that takes much processor time or memory. In a process of its own, the work shares neither
 * the allocator of the C library nor the threads of V8 with the event loop. It is started on demand. Where it ends by itself,
 * it is replaced, and what ran in it runs once more. Its faults are logged and counted with those of this process.
 */
export function makeHeavyProcess(log: FaultLog): HeavyProcess {
  const running = new Map<number, Running>();
  let child: ChildProcess | undefined;
  /** Those that end when their running work has ended. */
  const leaving = new Set<ChildProcess>();
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const receive = (from: ChildProcess, sent: FromProcess) => {
    if ('fault' in sent) return noteFault(from, sent);
    const found = running.get(sent.id);
    if (!found) return; // it was cancelled
    if ('answer' in sent) return found.resolve(sent.answer);
    found.hasSpoken = true;
    found.onMessage(sent.message);
  };
  const noteFault = (from: ChildProcess, { fault, error }: Extract<FromProcess, { fault: unknown }>) => {
    const fields = { process: 'heavy-work', pid: from.pid };
    if (fault === 'unhandled_rejection') return noteRejection(log, error, fields);
    noteException(log, error, fields);
    leaving.add(from);
    if (child === from) child = undefined;
  };
  const startAgain = (ended: ChildProcess) => {
    leaving.delete(ended);
    if (child === ended) child = undefined;
    for (const each of running.values()) {
      if (each.child !== ended) continue;
      each.child = undefined;
      each.deaths += 1;
      if (each.hasSpoken || each.deaths > 1) each.resolve({ exceeds: 'memory' });
      else send(each);
    }
  };
  const start = (): ChildProcess => {
    const started = fork(ENTRY, {
      env: Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    started.on('message', (sent) => receive(started, sent as FromProcess)); // what heavy-process-entry.ts sends
    started.once('exit', () => startAgain(started));
    // Fails to start, or ends while it is sent something. In both cases it exits.
    started.on('error', () => startAgain(started));
    // Only running work keeps this process.
    started.unref();
    return started;
  };
  const send = (work: Running) => {
    child ??= start();
    work.child = child;
    clearTimeout(idle);
    child.channel?.ref();
    child.send(work.request satisfies ToProcess, () => {});
  };
  const rest = () => {
    if (running.size > 0) return;
    child?.channel?.unref();
    idle = setTimeout(() => {
      const resting = child;
      child = undefined;
      resting?.disconnect();
    }, IDLE_MS).unref();
  };

  const run = async (work: PoolWork & { pool: PoolOptions }, { signal, limitMs, onMessage }: ThreadOptions) => {
    signal.throwIfAborted();
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
    const cancel = (reason: unknown) => {
      const { child: runs } = entry;
      if (runs?.connected) runs.send({ id, cancels: true } satisfies ToProcess, () => {});
      reject(reason);
    };
    const onAbort = () => cancel(signal.reason);
    const timer = setTimeout(() => cancel(WorkExceeded.time(limitMs)), limitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    const entry: Running = {
      child: undefined,
      request: { ...work, id },
      hasSpoken: false,
      deaths: 0,
      onMessage(message) {
        timer.refresh();
        onMessage?.(message);
      },
      resolve,
    };
    running.set(id, entry);
    try {
      send(entry);
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      running.delete(id);
      rest();
    }
  };

  return {
    threads: (pool) => ({
      async run(module, input, options) {
        const { isLarge = false } = options;
        const answer = await run({ pool, module: module.href, input, isLarge }, options);
        if ('failure' in answer) throw new Error(answer.failure);
        if ('exceeds' in answer) throw WorkExceeded.memory(pool.megabytes);
        return answer.output as never; // the result type of the function
      },
    }),
    async close() {
      clearTimeout(idle);
      const ending = child;
      child = undefined;
      for (const each of running.values()) each.resolve({ failure: 'The process of heavy work was closed.' });
      await Promise.all([...leaving, ...(ending ? [ending] : [])].map(kill));
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exited;
}
