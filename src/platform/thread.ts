import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** What the module finds as `workerData`. */
  data?: unknown;
  /** Stops the thread when aborted; the reason is what its work fails with. */
  signal?: AbortSignal;
  /** A thread that says nothing for so long is stopped. */
  quietMs: number;
}

/** Work in a thread came to no end: it took too long over one thing, more memory than it may, or failed. */
export class ThreadError extends Error {
  override name = 'ThreadError';
}

/** Memory of one thread, in MB: a page that needs more is none. */
const MEMORY_MB = 768;
const STACK_MB = 4;

/**
 * Runs a module in a thread of its own until it ends, so that what it works on can neither hold the event loop nor take
 * the memory of this process. Fails with what it failed with, or with `ThreadError`.
 */
export function runThread(module: URL, onMessage: (message: unknown) => void, options: ThreadOptions): Promise<void> {
  const { data, signal, quietMs } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const worker = start(module, data);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      void worker.terminate();
      settle();
    };
    const aborted = () => end(() => reject(signal?.reason));
    const timer = setTimeout(() => end(() => reject(quiet(quietMs))), quietMs);
    signal?.addEventListener('abort', aborted, { once: true });
    worker.on('message', (message) => {
      timer.refresh();
      onMessage(message);
    });
    worker.once('error', (error) => end(() => reject(failure(error))));
    worker.once('exit', () => end(resolve));
  });
}

/** A thread that answers one question after the other; it is begun anew after one that it did not live through. */
export interface Answerer<Question, Answer> {
  /** Fails with `ThreadError`, or the reason of the signal. */
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** Makes a thread of a module that posts one answer to each message. Questions wait for each other. */
export function makeAnswerer<Question, Answer>(module: URL, quietMs: number): Answerer<Question, Answer> {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const stop = async () => {
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  };
  const answer = async (question: Question, signal?: AbortSignal): Promise<Answer> => {
    signal?.throwIfAborted();
    worker ??= start(module, undefined);
    const asked = worker;
    try {
      return await reply<Answer>(asked, question, quietMs, signal);
    } catch (error) {
      await stop();
      throw error;
    }
  };
  return {
    ask(question, signal) {
      const answered = last.then(() => answer(question, signal));
      last = answered.catch(() => {});
      return answered;
    },
    close: stop,
  };
}

function reply<Answer>(worker: Worker, question: unknown, quietMs: number, signal?: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const failed = (error: unknown) => reject(failure(error));
  const ended = () => reject(new ThreadError('it ended without an answer'));
  const aborted = () => reject(signal?.reason);
  const timer = setTimeout(() => reject(quiet(quietMs)), quietMs);
  worker.once('message', resolve).once('error', failed).once('exit', ended);
  signal?.addEventListener('abort', aborted, { once: true });
  worker.postMessage(question);
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
    worker.off('message', resolve).off('error', failed).off('exit', ended);
  });
}

function start(module: URL, workerData: unknown): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: STACK_MB };
  // Nothing of the settings is needed there, and secrets are among them.
  const worker = new Worker(module, { workerData, resourceLimits, execArgv: [], env: {} });
  // One that nobody waits for any more may still say why it ends.
  return worker.on('error', () => {});
}

const quiet = (milliseconds: number) => new ThreadError(`it took longer than ${milliseconds / 1000} seconds`);

function failure(error: unknown): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? new ThreadError(`it took more than ${MEMORY_MB} MB of memory`) : error;
}
