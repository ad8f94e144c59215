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
      for (let close = closers.pop(); close; close = closers.pop()) {
        // One that fails must not keep the others open: the embedded database is among the last.
        await Promise.resolve(close()).catch((error: unknown) => void process.stderr.write(`${textOf(error)}\n`));
      }
      process.exitCode ??= code;
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
    await start(readConfig(process.env), (close) => {
      if (!stopping) return void closers.push(close);
      // Asked to stop while starting: what comes up late is closed at once, and nothing more is started.
      void close();
      throw new ConfigError('Stopped while starting.');
    });
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : textOf(error)}\n`);
    await stop(1);
  }
}

/** The message says what to mend; where it happened is for those who ask. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env.LOG_LEVEL === 'debug' ? (error.stack ?? error.message) : error.message;
}
