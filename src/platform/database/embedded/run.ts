import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

type Environment = Readonly<Record<string, string>>;

/** Runs a program with `input` and returns its output. If it fails, throws an error with the output. */
export async function run([program = '', ...words]: string[], env?: Environment, input = ''): Promise<string> {
  const running = execute(program, words, { env, cwd: '/', maxBuffer: 1 << 20 });
  // A program that ends without reading breaks the pipe. Its exit code tells more.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (cause) {
    throw new Error(`${program} failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Whether a program exists and succeeds. */
export async function succeeds(command: string[], env: Environment): Promise<boolean> {
  return run(command, env).then(
    () => true,
    () => false,
  );
}
