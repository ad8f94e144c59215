import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { WorkExceeded } from './work-exceeded.ts';

export interface IsolatedProcess {
  /** The module that it runs: it reads the input from standard input and writes the output to standard output. */
  entry: URL;
  /** Files and directories that it may read; no others. */
  readable: readonly string[];
  /** Written to it piece by piece, as fast as it reads. */
  input: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  /** Ends it when aborted; its reason is what this fails with. */
  signal: AbortSignal;
  limitMs: number;
  /** All memory that it may use, in MB, of which most may be JavaScript's heap. */
  megabytes: number;
  maxOutputBytes: number;
}

/**
 * Runs a module in a process of its own that cannot do more than compute: Node's permission model denies it other files,
 * writing, processes, threads and native code, and its environment is empty. On Unix the system itself bounds its memory
 * and processor time; on Linux it ends with this process. Answers what it wrote. Fails with `WorkExceeded`, the reason of the
 * signal, or an error with the end of what it wrote to standard error.
 */
export async function runIsolated(options: IsolatedProcess): Promise<Buffer> {
  const { input, signal, limitMs, megabytes, maxOutputBytes } = options;
  signal.throwIfAborted();
  const child = start(options);
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(WorkExceeded.time(limitMs)), limitMs);
  const until = AbortSignal.any([signal, ending.signal]);
  const kill = () => void child.kill('SIGKILL');
  until.addEventListener('abort', kill, { once: true });
  const said = lastOf(child.stderr);
  try {
    // One that ends early does not read all of its input; how it ended tells why.
    const [output, code] = await Promise.all([
      bytesOf(child.stdout, maxOutputBytes),
      ended(child),
      pipeline(Readable.from(input), child.stdin).catch(() => {}),
    ]);
    until.throwIfAborted();
    if (code === 0) return output;
    throw isOutOfMemory(code, said()) ? WorkExceeded.memory(megabytes) : new Error(`It ended with ${code}: ${said()}`);
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
  const [command = '', ...rest] = process.platform === 'win32' ? node : ['/bin/sh', '-c', BOUNDED, 'sh', ...node];
  const bounds = {
    DATA_KILOBYTES: String((megabytes + RESERVED_MEGABYTES) * 1024),
    PROCESSOR_SECONDS: String(Math.ceil(limitMs / 1000)),
  };
  const child = spawn(command, rest, {
    cwd: '/',
    env: process.platform === 'win32' ? {} : bounds,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.once('spawn', () => giveWay(child.pid));
  return child;
}

/** What V8 and the stacks of its threads reserve and hardly use (x64: 512 MB for machine code). */
const RESERVED_MEGABYTES = 540;

/**
 * Sets bounds on itself and becomes the program: memory that is written to (`-d`), processor time (`-t`), no core dumps.
 * `setpriv` of util-linux has it killed when its parent ends. What a system does not know is left out.
 */
const BOUNDED = `
ulimit -d "$DATA_KILOBYTES" 2>/dev/null
ulimit -t "$PROCESSOR_SECONDS" 2>/dev/null
ulimit -c 0 2>/dev/null
unset DATA_KILOBYTES PROCESSOR_SECONDS PWD OLDPWD
setpriv --no-new-privs --pdeathsig KILL true 2>/dev/null && exec setpriv --no-new-privs --pdeathsig KILL "$@"
exec "$@"`;

/** The event loop of this process comes first. */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, 5);
  } catch {
    // It has ended already.
  }
}

const ended = (child: Child): Promise<number | string> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'no code'));
  });

async function bytesOf(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`It wrote more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The end of what a stream says, for the log. */
function lastOf(stream: Readable): () => string {
  let last = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    last = (last + text).slice(-2_000);
  });
  return () => last;
}

/** V8 aborts when its heap is full; where the system refuses memory, it or its allocator does. */
const isOutOfMemory = (code: number | string, said: string) =>
  code === 'SIGABRT' || code === 'SIGTRAP' || /out of memory|failed to allocate|bad_alloc/i.test(said);
