import { parentPort } from 'node:worker_threads';

/** What a thread is asked to do: the function `work` of a module, with an input. */
export interface ThreadRequest {
  module: string;
  input: unknown;
}

/** What it answers. Errors do not keep their class on the way, so they are told as text. */
export type ThreadAnswer = { output: unknown } | { failure: string };

parentPort?.on('message', ({ module, input }: ThreadRequest) => {
  answerTo(module, input).then((answer) => parentPort?.postMessage(answer));
});

async function answerTo(module: string, input: unknown): Promise<ThreadAnswer> {
  try {
    const { work } = (await import(module)) as { work: (input: unknown) => unknown }; // what the pool asks of a module
    return { output: await work(input) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
