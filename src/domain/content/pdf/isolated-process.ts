import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import { errorOfExit, exitOf, startWorker, tailOf } from '../../../platform/heavy-work/worker-process.ts';

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
 * Runs a module in a process that can only compute: Node's permission model denies access to other files, writing,
 * processes, threads and native code, and the environment is empty. `receive` gets the output as it is written. Fails
 * with `WorkExceeded`, the reason of the signal, or an error with the end of its standard error. Returns the end of its
 * standard error.
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
  const said = tailOf(child.stderr);
  try {
    // A process that ends early does not read all of its input. Its exit code tells the cause.
    const [, code] = await Promise.all([
      receive(bounded(child.stdout, maxOutputBytes)),
      exitOf(child),
      pipeline(Readable.from(input), child.stdin).catch(() => {}),
    ]);
    until.throwIfAborted();
    if (code === 0) return said();
    throw errorOfExit(code, said(), options);
  } catch (error) {
    throw until.aborted ? until.reason : error;
  } finally {
    clearTimeout(timer);
    until.removeEventListener('abort', kill);
    kill();
  }
}

function start({ entry, readable, limitMs, megabytes }: IsolatedProcess) {
  const child = startWorker({
    entry,
    flags: [
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${Math.floor(megabytes * 0.85)}`,
      '--disallow-code-generation-from-strings',
    ],
    megabytes,
    processorSeconds: limitMs / 1_000,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return child as typeof child & { stdin: Writable; stdout: Readable; stderr: Readable }; // by `stdio`
}

async function* bounded(stream: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw WorkExceeded.output(maxBytes);
    yield chunk;
  }
}
