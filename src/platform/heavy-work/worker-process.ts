import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { markErrorsHandled } from '../../lib/mark-handled.ts';
import { boundedCommand } from './bounded-command.ts';
import { WorkExceeded } from './work-exceeded.ts';

/** What starts and limits a process that runs heavy work. */
export interface WorkerProcess {
  /** The module to run. */
  entry: URL;
  /** Options of Node. */
  flags: readonly string[];
  /** Memory limit in MB, besides what V8 reserves. Undefined: only the JavaScript heap is limited, by `flags`. */
  megabytes?: number;
  processorSeconds: number;
  /** All environment variables, since those of this service contain secrets. */
  env?: Record<string, string>;
  cwd?: string;
  stdio: StdioOptions;
}

/**
 * Starts Node in a process of its own. On Unix, the operating system limits its processor time and memory; on Linux, it
 * kills the process with this one.
 */
export function startWorker(worker: WorkerProcess): ChildProcess {
  const { entry, flags, megabytes, processorSeconds, env, cwd, stdio } = worker;
  const bounded = boundedCommand([process.execPath, ...flags, fileURLToPath(entry)], {
    ...(megabytes !== undefined && { megabytes: megabytes + RESERVED_MEGABYTES }),
    processorSeconds,
  });
  const [command = '', ...words] = bounded.command;
  return markErrorsHandled(
    spawn(command, words, { cwd, env: { ...env, ...bounded.env }, stdio, serialization: 'advanced' }),
  );
}

/** Memory that V8 and the stacks of its threads reserve but hardly use (x64: 512 MB for machine code). */
const RESERVED_MEGABYTES = 540;

/** Returns the exit code or signal of a process, once it has ended and its output is read. */
export const exitOf = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'no code'));
  });

/** Collects the end of a stream, for the log. */
export function tailOf(stream: Readable): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-2_000);
  });
  return () => tail;
}

/**
 * The error for a process that ended by itself. The system kills those that use up their processor time or all memory.
 */
export function errorOfExit(
  code: number | string,
  said: string,
  limits: { limitMs: number; megabytes: number },
): Error {
  if (code === 'SIGXCPU') return WorkExceeded.time(limits.limitMs);
  if (code === 'SIGKILL' || isOutOfMemory(code, said)) return WorkExceeded.memory(limits.megabytes);
  return new Error(`The process ended with ${code}: ${said}`);
}

/** V8 aborts when its heap is full. When the system denies memory, V8 or its allocator aborts. */
const isOutOfMemory = (code: number | string, said: string) =>
  code === 'SIGABRT' || code === 'SIGTRAP' || /out of memory|failed to allocate|bad_alloc/i.test(said);
