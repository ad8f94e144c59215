import { existsSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from './config.ts';

const STOP_WITHIN_MS = 10_000;

/** Says how to close what was opened. On a stop, the last that was opened is closed first. */
export type Opened = (close: () => void | Promise<void>) => void;

/**
 * Reads the configuration, starts, and stops in order on SIGINT and SIGTERM; a second signal, or ten seconds, end the
 * process the hard way. What keeps it from starting is told in one line where a person can mend it.
 */
export async function runProcess(start: (config: Config, opened: Opened) => Promise<void>): Promise<void> {
  const closers: (() => void | Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  const stop = (code: number): Promise<void> => {
    stopping ??= (async () => {
      setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
      for (const close of closers.toReversed()) await close();
      process.exitCode = code;
    })();
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      void stop(0);
    });
  }
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    await start(readConfig(process.env), (close) => void closers.push(close));
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : textOf(error)}\n`);
    await stop(1);
  }
}

const textOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));
