import module from 'node:module';
import { type MessagePort, parentPort, type Transferable } from 'node:worker_threads';
import { type LoggableError, loggable } from '../loggable.ts';

/** A request to a thread: run the function `work` of a module with an input. */
export interface ThreadRequest {
  module: string;
  input: unknown;
  /** Port for the messages of the function. Closed when it ends. */
  port: MessagePort;
}

/** The response of a thread. Errors are sent as text, since their class would be lost. */
export type ThreadAnswer = { output: unknown } | { failure: string } | { exceeds: 'memory' };

/** Sent to the process when a promise was rejected and nothing in the thread handled it. */
export interface StrayRejection {
  unhandledRejection: LoggableError;
}

type Work = (input: unknown, post: (message: unknown, transferred?: Transferable[]) => void) => unknown;

// Threads start often and load hundreds of modules. Unlike other settings, Node does not take this one from the first thread.
const cache = process.env.NODE_COMPILE_CACHE;
if (cache !== undefined) module.enableCompileCache(cache);

// The thread would end, and its work fail.
process.on('unhandledRejection', (reason) =>
  parentPort?.postMessage({ unhandledRejection: loggable(reason) } satisfies StrayRejection),
);

const loaded = new Set<string>();

/** Modules that were compiled for the first time are kept at once, since threads can be ended at any time. */
async function load(url: string): Promise<{ work: Work }> {
  const found = (await import(url)) as { work: Work }; // the contract of modules for threads
  if (!loaded.has(url)) module.flushCompileCache();
  loaded.add(url);
  return found;
}

/** Entry point of the threads. */
export default async function answer({ module: url, input, port }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    const { work } = await load(url);
    return { output: await work(input, (message, transferred) => port.postMessage(message, transferred)) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    port.close();
  }
}
