import type { MessagePort } from 'node:worker_threads';

/** What a thread is asked to do: the function `work` of a module, with an input. */
export interface ThreadRequest {
  module: string;
  input: unknown;
  /** Where the function posts what it says before its end; closed behind it. */
  port?: MessagePort;
}

/** What it answers. Errors do not keep their class on the way, so they are told as text. */
export type ThreadAnswer = { output: unknown } | { failure: string };

type Work = (input: unknown, post: (message: unknown) => void) => unknown;

/** Runs in threads of the pool. */
export default async function answer({ module, input, port }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    const { work } = (await import(module)) as { work: Work }; // what the pool asks of a module
    return { output: await work(input, (message) => port?.postMessage(message)) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    port?.close();
  }
}
