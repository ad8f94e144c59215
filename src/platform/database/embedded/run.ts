import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

type Environment = Readonly<Record<string, string>>;

/** Runs a program to its end, feeding it `input`, and answers what it printed; throws with that where it fails. */
export async function run([program = '', ...words]: string[], env?: Environment, input = ''): Promise<string> {
  const running = execute(program, words, { env, cwd: '/', maxBuffer: 1 << 20 });
  // A program that ends without reading breaks the pipe; its exit code says more.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (cause) {
    throw new Error(`${program} failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Whether a program can be run and ends well. */
export async function succeeds(command: string[], env: Environment): Promise<boolean> {
  return run(command, env).then(
    () => true,
    () => false,
  );
}
