import { once } from 'node:events';
import { MessageChannel, type Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { ThreadAnswer, ThreadRequest } from './thread.ts';
import { WorkExceeded } from './work-exceeded.ts';

/**
 * The export `work` of modules for threads. Input, output and messages must be cloneable. Buffers that are named as the second
 * argument of `post` are moved instead of copied.
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

const IDLE_MS = 30_000;

export interface Threads {
  /**
   * Runs the function `work` of a module in a thread. Input and output are copied (structured clone), which takes time
   * in this thread, so their size must be limited. Fails with `WorkExceeded`, the reason of the signal, or an error
   * with the message of the thrown one. Ended threads are replaced.
   */
  run<Does extends Work>(
    module: URL,
    input: Parameters<Does>[0],
    options: ThreadOptions,
  ): Promise<Awaited<ReturnType<Does>>>;
  /** Ends all threads. Running work fails. */
  close(): Promise<void>;
}

/** Priority of the threads below that of the event loop, where the system supports it. */
const NICE = 19;

/**
 * A pool of up to `atOnce` threads with `megabytes` of heap each, besides `youngMegabytes` for young objects. Threads are
 * started on demand, and end when they have been idle for half a minute.
 */
export function makeThreads({
  atOnce,
  megabytes,
  youngMegabytes,
}: {
  atOnce: number;
  megabytes: number;
  youngMegabytes: number;
}): Threads {
  const options = {
    filename: new URL('./thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: atOnce,
    atomics: 'disabled' as const,
    recordTiming: false,
    niceIncrement: NICE,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: youngMegabytes },
    // Threads need no other setting, and the environment contains secrets.
    env: keptEnvironment(),
    execArgv: [],
  };
  const lasting = new Piscina({ ...options, idleTimeout: IDLE_MS });
  const ending = new Piscina({ ...options, idleTimeout: 0 });
  // A thread can fail after its work was cancelled.
  for (const pool of [lasting, ending]) pool.on('error', () => {});

  return {
    async run(module, input, { signal, limitMs, isLarge = false, onMessage }) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(WorkExceeded.time(limitMs)), limitMs);
      const until = AbortSignal.any([signal, limit.signal]);
      const said = onMessage && listen(onMessage, timer);
      const request: ThreadRequest = { module: module.href, input, ...(said && { port: said.port }) };
      const transferList = said ? [said.port as unknown as Transferable] : []; // a port is transferable
      try {
        until.throwIfAborted();
        const answer: ThreadAnswer = await (isLarge ? ending : lasting).run(request, { signal: until, transferList });
        await said?.ended;
        if ('failure' in answer) throw new Error(answer.failure);
        return answer.output as never; // the result type of the function
      } catch (error) {
        if (until.aborted) throw until.reason;
        throw isOutOfMemory(error) ? WorkExceeded.memory(megabytes) : error;
      } finally {
        clearTimeout(timer);
        said?.close();
      }
    },
    async close() {
      await Promise.all([lasting.destroy(), ending.destroy()]);
    },
  };
}

/** Where compiled modules are kept, if they are. */
function keptEnvironment(): Record<string, string> {
  const { NODE_COMPILE_CACHE: directory } = process.env;
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}

/** A port for the thread. Each message restarts the timer. `ended` resolves after the last message. */
function listen(onMessage: (message: unknown) => void, timer: NodeJS.Timeout) {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (message) => {
    timer.refresh();
    onMessage(message);
  });
  return { port: port2, ended: once(port1, 'close'), close: () => port1.close() };
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
