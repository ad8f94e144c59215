import module from 'node:module';
import { loggable } from '../log/loggable.ts';
import type { FromWorker, ToWorker, WorkerTask } from './worker-pool.ts';

/*
 * Entry point of the workers of `makeWorkerPool`. A worker runs one task at a time, and ends with the process that
 * started it.
 */

const MEGABYTE = 1024 * 1024;
const loaded = new Set<string>();

/** Modules that were compiled for the first time are kept at once, since workers can be ended at any time. */
async function load(url: string): Promise<{ work: WorkerTask }> {
  const workerModule = (await import(url)) as { work: WorkerTask }; // the contract of modules for workers
  if (!loaded.has(url)) module.flushCompileCache();
  loaded.add(url);
  return workerModule;
}

const send = (sent: FromWorker, sentAll = () => {}) => void process.send?.(sent, undefined, undefined, sentAll);

async function run({ module: url, input }: ToWorker): Promise<void> {
  const { work } = await load(url);
  send({ isLoaded: true });
  const output = await work(input, (message: unknown) => send({ message }));
  send({ output, megabytes: process.memoryUsage.rss() / MEGABYTE });
}

const fail = (error: unknown) =>
  send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });

process.on('message', (task: ToWorker) => {
  run(task).catch(fail);
});
process.on('disconnect', () => process.exit());
// The task goes on after a rejection that nothing handled, and fails with an exception that nothing caught.
process.on('unhandledRejection', (reason) => send({ fault: 'unhandled_rejection', error: loggable(reason) }));
process.on('uncaughtException', (error) => {
  send({ fault: 'uncaught_exception', error: loggable(error) }, () => process.exit(1));
});
