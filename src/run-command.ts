import { existsSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from './config.ts';
import { Closing } from './lib/closing.ts';
import { OperatorError } from './platform/errors/errors.ts';
import type { RegisterClose } from './run-process.ts';
import { onStopSignals } from './stop-signals.ts';

/**
 * Runs a command of an operator: reads the configuration, acts, and closes what was opened in reverse order. Exits with
 * 1 if `act` returns false or throws. SIGINT and SIGTERM abort the signal; a second one ends the process immediately.
 */
export async function runCommand(
  act: (config: Config, opened: RegisterClose, signal: AbortSignal) => Promise<boolean | undefined>,
): Promise<void> {
  const closing = new Closing();
  const stopping = new AbortController();
  onStopSignals(
    () => stopping.abort(new OperatorError('Stopped.')),
    () => process.exit(1),
  );
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
