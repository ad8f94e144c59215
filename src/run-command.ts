import { existsSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from './config.ts';
import { Closing } from './lib/closing.ts';
import { OperatorError } from './platform/errors/errors.ts';
import type { RegisterClose } from './run-process.ts';

/** Time within which two signals count as one. */
const ONE_SIGNAL_MS = 1_000;

/**
 * Runs a command of an operator: reads the configuration, acts, and closes what was opened in reverse order. Exits with 1
 * if `act` returns false or throws. SIGINT and SIGTERM abort the signal; another one, more than a second later, ends the process
 * immediately: started by npm, the process can get the same Ctrl-C twice.
 */
export async function runCommand(
  act: (config: Config, opened: RegisterClose, signal: AbortSignal) => Promise<boolean | undefined>,
): Promise<void> {
  const closing = new Closing();
  const stopping = new AbortController();
  let stopped = Number.POSITIVE_INFINITY;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const now = performance.now();
      if (now - stopped > ONE_SIGNAL_MS) process.exit(1);
      stopped = Math.min(stopped, now);
      stopping.abort(new OperatorError('Stopped.'));
    });
  }
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    const isGood = await act(readConfig(process.env), (close) => closing.add(() => close(0)), stopping.signal);
    if (isGood === false) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`);
    process.exitCode = 1;
  }
  await closing.close();
}

function textOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
