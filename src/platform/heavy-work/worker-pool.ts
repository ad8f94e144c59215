import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { ApiError } from '../errors/errors.ts';
import type { FaultLog } from '../log/fault-log.ts';
import type { LoggableError } from '../log/loggable.ts';
import { noteException, noteRejection, type ProcessFault } from '../log/process-faults.ts';
import { ownModule } from '../own-files.ts';
import { WorkExceeded } from './work-exceeded.ts';
import { errorOfExit, exitOf, startWorker, tailOf } from './worker-process.ts';

/** The export `work` of modules for workers. Input, output and messages must be cloneable. */
// biome-ignore lint/suspicious/noExplicitAny: each module has its own input.
export type WorkerTask = (input: any, post: (message: any) => void) => unknown;

export interface WorkerOptions {
  /** Ends the worker when aborted. The reason is thrown. */
  signal: AbortSignal;
  /** Time limit in milliseconds, from when the worker has loaded the module. Each message from the task restarts it. */
  limitMs: number;
  /**
   * Whether the task may fill the worker's heap. A worker that is large afterwards ends, so that its memory is free
   * again.
   */
  isLarge?: boolean;
  /** Receives the messages of the task, all of them before `run` resolves. */
  onMessage?(message: unknown): void;
}

/** Processes that run one task at a time each. */
export interface WorkerPool {
  /**
   * Runs the function `work` of a module in a worker. Input and output are copied (structured clone), which blocks this
   * process, so their size must be limited. Fails with `WorkExceeded`, the reason of the signal, SERVICE_UNAVAILABLE if
   * the machine is too busy to load the module, or an error with the message of the thrown one.
   */
  run<Task extends WorkerTask>(
    module: URL,
    input: Parameters<Task>[0],
    options: WorkerOptions,
  ): Promise<Awaited<ReturnType<Task>>>;
  /** Ends all workers. Running tasks fail. */
  close(): Promise<void>;
}

/** What a worker is sent. */
export interface ToWorker {
  module: string;
  input: unknown;
}

/** What it sends. */
export type FromWorker =
  | { isLoaded: true }
  | { message: unknown }
  | { output: unknown; megabytes: number }
  | { failure: string }
  | { fault: ProcessFault; error: LoggableError };

/**
 * Time limit for starting a worker and loading a module. On a busy machine that takes seconds, which must not count for
 * the task: its limit is about the input.
 */
const LOADS_WITHIN_MS = 30_000;
/** Resident memory of a worker in MB that is kept after a task which may have filled its heap. */
const KEPT_MEGABYTES = 256;
/** How long a worker without a task is kept. */
export const IDLE_MS = 30_000;
/** Processor time after which the system ends a worker. The pool ends workers earlier, so this is never reached. */
const PROCESSOR_SECONDS = 3_600;
/** Total time of a worker's tasks after which the pool ends it. */
const RETIRES_AFTER_MS = 600_000;

/** Nothing else is passed on: the environment contains secrets. */
const PASSED_ON = ['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE', 'SystemRoot'];

const ENTRY = ownModule('platform/heavy-work/worker-entry.ts');

interface Worker {
  child: ChildProcess;
  /** Resolves with the reason when the worker has ended. */
  ended: Promise<Error>;
  /** Receives what the worker sends for its task, and the error when it ends. */
  receive: ((sent: Exclude<FromWorker, { fault: unknown }> | { ended: Error }) => void) | undefined;
  /** Ends it when it has been idle for long. */
  idle: NodeJS.Timeout | undefined;
  workedMs: number;
}

/**
 * A pool of processes with a limited JavaScript heap. Workers are started on demand, end when they have been idle for
 * half a minute, and are replaced when they end by themselves. Their faults are logged and counted with those of this
 * process.
 */
export function makeWorkerPool(megabytes: number, log: FaultLog): WorkerPool {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let isClosed = false;

  const start = (): Worker => {
    const worker = startPooled(megabytes, log, () => {
      all.delete(worker);
      clearTimeout(worker.idle);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    all.add(worker);
    return worker;
  };

  /** Ends an idle worker. It leaves the list at once: a task that got it before it has ended would fail. */
  const retire = (worker: Worker) => {
    idle.splice(idle.indexOf(worker), 1);
    worker.child.kill('SIGKILL');
  };

  /** Keeps a worker for the next task. */
  const release = (worker: Worker, keeps: boolean) => {
    if (!keeps || isClosed || worker.workedMs > RETIRES_AFTER_MS) {
      worker.child.kill('SIGKILL');
      return;
    }
    setKeepsRunning(worker, false);
    idle.push(worker);
    worker.idle = setTimeout(() => retire(worker), IDLE_MS).unref();
  };

  return {
    async run(module, input, options) {
      options.signal.throwIfAborted();
      if (isClosed) throw new Error('The workers are closed.');
      const worker = idle.pop() ?? start();
      clearTimeout(worker.idle);
      setKeepsRunning(worker, true);
      let keeps = false;
      const began = performance.now();
      try {
        const result = await runIn(worker, { module: module.href, input }, options);
        keeps = !options.isLarge || ('megabytes' in result && result.megabytes <= KEPT_MEGABYTES);
        if ('failure' in result) throw new Error(result.failure);
        return result.output as never; // the result type of the function
      } finally {
        worker.workedMs += performance.now() - began;
        release(worker, keeps);
      }
    },
    async close() {
      isClosed = true;
      const workers = [...all];
      for (const worker of workers) {
        setKeepsRunning(worker, true);
        worker.child.kill('SIGKILL');
      }
      await Promise.all(workers.map(({ ended }) => ended));
    },
  };
}

type WorkerResult = Extract<FromWorker, { output: unknown } | { failure: string }>;

/** Runs one task. Throws if the worker ends, or has to be ended. */
async function runIn(
  worker: Worker,
  task: ToWorker,
  { signal, limitMs, onMessage }: WorkerOptions,
): Promise<WorkerResult> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerResult>();
  let timer = setTimeout(() => reject(tooBusy()), LOADS_WITHIN_MS);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  worker.receive = (sent) => {
    if ('ended' in sent) return reject(sent.ended);
    if ('isLoaded' in sent) {
      clearTimeout(timer);
      timer = setTimeout(() => reject(WorkExceeded.time(limitMs)), limitMs);
      return;
    }
    if (!('message' in sent)) return resolve(sent);
    timer.refresh();
    onMessage?.(sent.message);
  };
  try {
    worker.child.send(task, (error) => error && worker.ended.then(reject));
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    worker.receive = undefined;
  }
}

const tooBusy = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'The service is too busy to process this request. Try again later.');

function startPooled(megabytes: number, log: FaultLog, onEnded: () => void): Worker {
  const child = startWorker({
    entry: ENTRY,
    flags: [`--max-old-space-size=${megabytes}`],
    processorSeconds: PROCESSOR_SECONDS,
    env: Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const said = tailOf(child.stderr as Readable); // by `stdio`
  const limits = { limitMs: PROCESSOR_SECONDS * 1_000, megabytes };
  const end = (error: Error): Error => {
    onEnded();
    worker.receive?.({ ended: error });
    return error;
  };
  const ended = exitOf(child).then((code) => end(errorOfExit(code, said(), limits)), end);
  const worker: Worker = { child, ended, receive: undefined, idle: undefined, workedMs: 0 };
  child.on('message', (message) => {
    const sent = message as FromWorker; // what worker-entry.ts sends
    if ('fault' in sent) noteFault(log, child.pid, sent);
    else worker.receive?.(sent);
  });
  return worker;
}

function noteFault(log: FaultLog, pid: number | undefined, { fault, error }: Extract<FromWorker, { fault: unknown }>) {
  const note = fault === 'unhandled_rejection' ? noteRejection : noteException;
  note(log, error, { process: 'heavy-work', pid });
}

/** Sets whether a worker keeps this process running. */
function setKeepsRunning({ child }: Worker, keeps: boolean): void {
  for (const handle of [child, child.channel, child.stderr as unknown as { ref(): void; unref(): void }]) {
    if (keeps) handle?.ref();
    else handle?.unref();
  }
}
