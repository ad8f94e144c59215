import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { markErrorsHandled } from '../../lib/mark-errors-handled.ts';
import { boundedCommand } from './bounded-command.ts';
import { WorkExceeded } from './work-exceeded.ts';

export interface IsolatedProcess {
  /** The module to run. It reads the input from standard input and writes the output to standard output. */
  entry: URL;
  /** The only files and directories that the process can read. */
  readable: readonly string[];
  /** Written with backpressure. */
  input: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** Ends the process when aborted. The reason is thrown. */
  signal: AbortSignal;
  limitMs: number;
  /** Memory limit of the process in MB, including the JavaScript heap. */
  megabytes: number;
  maxOutputBytes: number;
  /** Reads the output to its end. */
  receive(output: AsyncIterable<Buffer>): Promise<void>;
}

/**
 * Runs a module in a separate process that can only compute: Node's permission model denies access to other files,
 * writing, processes, threads and native code, and the environment is empty. On Unix, the operating system limits its
 * memory and processor time; on Linux, it ends with this process. `receive` gets the output as it is written. Fails with
 * `WorkExceeded`, the reason of the signal, or an error with the end of its standard error. Returns the end of its standard
 * error.
 */
export async function runIsolated(options: IsolatedProcess): Promise<string> {
  const { input, signal, limitMs, maxOutputBytes, receive } = options;
  signal.throwIfAborted();
  const child = start(options);
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(WorkExceeded.time(limitMs)), limitMs);
  const until = AbortSignal.any([signal, ending.signal]);
  const kill = () => void child.kill('SIGKILL');
  until.addEventListener('abort', kill, { once: true });
  const said = lastOf(child.stderr);
  try {
    // A process that ends early does not read all of its input. Its exit code tells the cause.
    const [, code] = await Promise.all([
      receive(bounded(child.stdout, maxOutputBytes)),
      ended(child),
      pipeline(Readable.from(input), child.stdin).catch(() => {}),
    ]);
    until.throwIfAborted();
    if (code === 0) return said();
    throw exceeded(options, code, said()) ?? new Error(`The process ended with ${code}: ${said()}`);
  } catch (error) {
    throw until.aborted ? until.reason : error;
  } finally {
    clearTimeout(timer);
    until.removeEventListener('abort', kill);
    kill();
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function start({ entry, readable, limitMs, megabytes }: IsolatedProcess): Child {
  const node = [
    process.execPath,
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.floor(megabytes * 0.85)}`,
    '--disallow-code-generation-from-strings',
    fileURLToPath(entry),
  ];
  const bounded = boundedCommand(node, {
    megabytes: megabytes + RESERVED_MEGABYTES,
    processorSeconds: limitMs / 1_000,
  });
  const [command = '', ...rest] = bounded.command;
  return markErrorsHandled(spawn(command, rest, { cwd: '/', env: bounded.env, stdio: ['pipe', 'pipe', 'pipe'] }));
}

/** Memory that V8 and the stacks of its threads reserve but hardly use (x64: 512 MB for machine code). */
const RESERVED_MEGABYTES = 540;

const ended = (child: Child): Promise<number | string> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'no code'));
  });

async function* bounded(stream: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw WorkExceeded.output(maxBytes);
    yield chunk;
  }
}

/** The end of a stream, for the log. */
function lastOf(stream: Readable): () => string {
  let last = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    last = (last + text).slice(-2_000);
  });
  return () => last;
}

/** The limit that ended a process. The system kills those that use up their processor time, or all of its memory. */
function exceeded({ limitMs, megabytes }: IsolatedProcess, code: number | string, said: string) {
  if (code === 'SIGXCPU') return WorkExceeded.time(limitMs);
  return code === 'SIGKILL' || isOutOfMemory(code, said) ? WorkExceeded.memory(megabytes) : undefined;
}

/** V8 aborts when its heap is full. When the system denies memory, V8 or its allocator aborts. */
const isOutOfMemory = (code: number | string, said: string) =>
  code === 'SIGABRT' || code === 'SIGTRAP' || /out of memory|failed to allocate|bad_alloc/i.test(said);
