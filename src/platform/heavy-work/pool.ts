import { once } from 'node:events';
import { MessageChannel, type Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { markHandled } from '../../lib/mark-handled.ts';
import { ownModule } from '../own-files.ts';
import type { StrayRejection, ThreadAnswer, ThreadRequest } from './thread.ts';

export interface PoolOptions {
  /** Number of threads at a time. */
  atOnce: number;
  /** Heap of each thread in MB, besides that for young objects. */
  megabytes: number;
  youngMegabytes: number;
}

/** One run of the function `work` of a module. */
export interface PoolWork {
  /** Address of the module. */
  module: string;
  input: unknown;
  /** Whether the thread fills its heap. Such a thread ends with the work, so that its memory is free again. */
  isLarge: boolean;
}

export interface Pool {
  /**
   * Runs the function in a thread, and passes on its messages, all of them before it resolves. Aborting the signal ends the
   * thread, which is replaced.
   */
  run(work: PoolWork, onMessage: (message: unknown) => void, signal: AbortSignal): Promise<ThreadAnswer>;
}

const IDLE_MS = 30_000;

/** Threads of this process. `onRejection` is told of rejections that nothing in them handled. They are started on demand, and end when they have been idle for half a minute. */
export function makePool(
  { atOnce, megabytes, youngMegabytes }: PoolOptions,
  onRejection: (rejection: StrayRejection) => void,
): Pool {
  const options = {
    filename: ownModule('platform/heavy-work/thread.ts').href,
    minThreads: 0,
    maxThreads: atOnce,
    atomics: 'disabled' as const,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: youngMegabytes },
    execArgv: [],
  };
  const lasting = new Piscina({ ...options, idleTimeout: IDLE_MS });
  const ending = new Piscina({ ...options, idleTimeout: 0 });
  // A thread can fail after its work was cancelled.
  for (const piscina of [lasting, ending]) {
    piscina.on('error', () => {});
    // What thread.ts sends beside its answers.
    piscina.on('message', (sent: StrayRejection) => onRejection(sent));
  }

  return {
    async run({ module, input, isLarge }, onMessage, signal) {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', onMessage);
      const ended = markHandled(once(port1, 'close'));
      const request: ThreadRequest = { module, input, port: port2 };
      const transferList = [port2 as unknown as Transferable]; // a port is transferable
      try {
        const answer: ThreadAnswer = await (isLarge ? ending : lasting).run(request, { signal, transferList });
        await ended;
        return answer;
      } catch (error) {
        if (isOutOfMemory(error)) return { exceeds: 'memory' };
        throw error;
      } finally {
        port1.close();
      }
    },
  };
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
