import type { MessagePort, Transferable } from 'node:worker_threads';

/** A request to a thread: run the function `work` of a module with an input. */
export interface ThreadRequest {
  module: string;
  input: unknown;
  /** Port for the messages of the function. Closed when it ends. */
  port?: MessagePort;
}

/** The response of a thread. Errors are sent as text, since their class would be lost. */
export type ThreadAnswer = { output: unknown } | { failure: string };

type Work = (input: unknown, post: (message: unknown, transferred?: Transferable[]) => void) => unknown;

/** Entry point of the threads. */
export default async function answer({ module, input, port }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    const { work } = (await import(module)) as { work: Work }; // the contract of modules for threads
    return { output: await work(input, (message, transferred) => port?.postMessage(message, transferred)) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    port?.close();
  }
}
