import { Worker } from 'node:worker_threads';
import { Refusal } from '../errors.ts';
import type { ThreadAnswer, ThreadRequest } from './thread.ts';

/** The work took longer than it may; its thread was ended. */
export class ThreadTimeout extends Error {
  constructor(limitMs: number) {
    super(`The work took longer than ${limitMs} ms.`);
    this.name = 'ThreadTimeout';
  }
}

/** What a module exports for threads, as `work`: a function of what can be cloned to what can be cloned. */
// biome-ignore lint/suspicious/noExplicitAny: each module has its own input.
type Work = (input: any) => unknown;

export interface ThreadPool {
  /**
   * Runs the function `work` of a module in a thread, so that the event loop stays free. Input and output are copied
   * (structured clone), which takes time in this thread: bound them. Fails with `ThreadTimeout` after the limit, and with
   * SERVICE_UNAVAILABLE when too much is waiting already.
   */
  run<Does extends Work>(module: URL, input: Parameters<Does>[0], limitMs: number): Promise<Awaited<ReturnType<Does>>>;
  /** Ends all threads; what was under way fails. */
  close(): Promise<void>;
}

interface Task {
  request: ThreadRequest;
  limitMs: number;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

const MAX_WAITING = 200;
const MAX_HEAP_MB = 512;
const ENTRY = new URL('./thread.ts', import.meta.url);

/** Makes a pool of so many threads, each started when there is work for it. Idle ones do not keep the process alive. */
export function makeThreadPool(size: number): ThreadPool {
  const waiting: Task[] = [];
  const idle: Worker[] = [];
  const all = new Set<Worker>();

  const next = () => {
    while (waiting.length > 0 && (idle.length > 0 || all.size < size)) {
      const task = waiting.shift();
      if (task) give(idle.pop() ?? start(), task);
    }
  };
  const start = (): Worker => {
    // Nothing of the settings is needed there, and secrets are among them.
    const worker = new Worker(ENTRY, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    all.add(worker);
    return worker;
  };
  const give = async (worker: Worker, task: Task) => {
    worker.ref();
    try {
      task.resolve(await outputOf(worker, task));
      worker.unref();
      idle.push(worker);
    } catch (error) {
      if (!(error instanceof WorkFailed)) {
        all.delete(worker);
        void worker.terminate();
      } else {
        worker.unref();
        idle.push(worker);
      }
      task.reject(error instanceof Error ? error : new Error(String(error)));
    }
    next();
  };
  return {
    run: (module, input, limitMs) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= MAX_WAITING) {
          reject(new Refusal('SERVICE_UNAVAILABLE', 'Too much text is being read at the moment; try again shortly.'));
          return;
        }
        // What resolves is what the module's function answered.
        waiting.push({ request: { module: module.href, input }, limitMs, resolve: resolve as Task['resolve'], reject });
        next();
      }),
    async close() {
      for (const { reject } of waiting.splice(0)) reject(new Error('The threads are ending.'));
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** The function failed; its thread goes on. */
class WorkFailed extends Error {}

function outputOf(worker: Worker, { request, limitMs }: Task): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: ThreadAnswer) =>
      end(() => ('output' in answer ? resolve(answer.output) : reject(new WorkFailed(answer.failure))));
    const onError = (error: Error) => end(() => reject(error));
    const onExit = (code: number) => end(() => reject(new Error(`The thread ended with ${code}.`)));
    const timer = setTimeout(() => end(() => reject(new ThreadTimeout(limitMs))), limitMs);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    try {
      worker.postMessage(request);
    } catch (error) {
      end(() => reject(new WorkFailed('The input cannot be copied to a thread.', { cause: error })));
    }
  });
}
