import { once } from 'node:events';
import { MessageChannel, type Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { ThreadAnswer, ThreadRequest } from './thread.ts';
import { WorkExceeded } from './work-exceeded.ts';

/** What a module exports for threads, as `work`: a function of what can be cloned to what can be cloned. */
// biome-ignore lint/suspicious/noExplicitAny: each module has its own input.
export type Work = (input: any, post: (message: any) => void) => unknown;

export interface ThreadOptions {
  /** Ends the thread when aborted; its reason is what `run` fails with. */
  signal: AbortSignal;
  /** How long the function may take; where it posts messages, how long it may be quiet. */
  limitMs: number;
  /** Takes what the function posts, all of it before `run` is done. */
  onMessage?(message: unknown): void;
}

export interface Threads {
  /**
   * Runs the function `work` of a module in a thread. Input and output are copied (structured clone), which takes time in
   * this thread: bound them. Fails with `WorkExceeded`, the reason of the signal, or an error that tells what was thrown.
   * A thread that is ended is replaced.
   */
  run<Does extends Work>(
    module: URL,
    input: Parameters<Does>[0],
    options: ThreadOptions,
  ): Promise<Awaited<ReturnType<Does>>>;
  /** Ends all threads; what was under way fails. */
  close(): Promise<void>;
}

const IDLE_MS = 30_000;

/** Threads give way to the event loop where the system lets them. */
const NICE = 5;

/** A pool of so many threads, each with so much heap. They start when there is work and end when there was none for a while. */
export function makeThreads({ atOnce, megabytes }: { atOnce: number; megabytes: number }): Threads {
  const pool = new Piscina({
    filename: new URL('./thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: atOnce,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
    recordTiming: false,
    niceIncrement: NICE,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    // Nothing of the settings is needed there, and secrets are among them.
    env: {},
    execArgv: [],
  });
  // A thread may still fail when nobody waits for it any more.
  pool.on('error', () => {});

  return {
    async run(module, input, { signal, limitMs, onMessage }) {
      const ending = new AbortController();
      const timer = setTimeout(() => ending.abort(WorkExceeded.time(limitMs)), limitMs);
      const until = AbortSignal.any([signal, ending.signal]);
      const said = onMessage && listen(onMessage, timer);
      const request: ThreadRequest = { module: module.href, input, ...(said && { port: said.port }) };
      const transferList = said ? [said.port as unknown as Transferable] : []; // a port is transferable
      try {
        until.throwIfAborted();
        const answer: ThreadAnswer = await pool.run(request, { signal: until, transferList });
        await said?.ended;
        if ('failure' in answer) throw new Error(answer.failure);
        return answer.output as never; // what the module's function answers
      } catch (error) {
        if (until.aborted) throw until.reason;
        throw isOutOfMemory(error) ? WorkExceeded.memory(megabytes) : error;
      } finally {
        clearTimeout(timer);
        said?.close();
      }
    },
    close: () => pool.destroy(),
  };
}

/** A port for the thread; what it posts begins the time anew. `ended` resolves when everything was taken. */
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
