import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from './config.ts';
import { askToBeStopped, killServers, onceStopped } from './run-servers.ts';

const STOP_WITHIN_MS = 10_000;
/** Additional time for a process that waits for server processes to stop. */
const STOP_LATER_MS = 5_000;

/** Closes something. Connections are accepted for `delayMs` more. */
type Close = (delayMs: number) => void | Promise<void>;

/** Registers a function that closes something. At the end they run in reverse order. */
export type Opened = (close: Close) => void;

/**
 * Reads the configuration, starts, and shuts down gracefully on SIGINT and SIGTERM. Connections are accepted for a while
 * after SIGTERM, which supervisors send, but not after SIGINT (Ctrl-C). A second signal, or ten seconds after that while, end
 * the process immediately. Errors during the start are printed as their message.
 */
export async function runProcess(start: (config: Config, opened: Opened) => Promise<void>): Promise<void> {
  const closers: Close[] = [];
  let shutdownDelayMs = 0;
  let stopping: Promise<void> | undefined;
  const stop = (code: number, delayMs = 0): Promise<void> => {
    stopping ??= (async () => {
      const isStarter = Object.keys(cluster.workers ?? {}).length > 0;
      setTimeout(exitNow, delayMs + STOP_WITHIN_MS + (isStarter ? STOP_LATER_MS : 0)).unref();
      for (let close = closers.pop(); close; close = closers.pop()) {
        // A failure must not keep the others open: the embedded database is among the last.
        await Promise.resolve(close(delayMs)).catch(
          (error: unknown) => void process.stderr.write(`${textOf(error)}\n`),
        );
      }
      process.exitCode ??= code;
      // The channel to the process that started this one would keep it running.
      if (process.connected) process.disconnect();
    })();
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A terminal and systemd send signals to server processes, too.
      if (cluster.isWorker) return askToBeStopped();
      if (stopping) exitNow();
      void stop(0, signal === 'SIGTERM' ? shutdownDelayMs : 0);
    });
  }
  if (cluster.isWorker) {
    onceStopped(() => void stop(0));
    // The process that started this one is gone, perhaps already.
    process.on('disconnect', () => void stop(1));
    if (!process.connected) void stop(1);
  }
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    const config = readConfig(process.env);
    shutdownDelayMs = config.shutdownDelayMs;
    await start(config, (close) => {
      if (!stopping) return void closers.push(close);
      // Stopped while starting: close what was opened meanwhile, and open nothing more.
      void close(0);
      throw new ConfigError('Stopped while starting.');
    });
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : textOf(error)}\n`);
    await stop(1);
  }
}

function exitNow(): never {
  killServers();
  process.exit(1);
}

/** The message of an error; with LOG_LEVEL=debug its stack. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env.LOG_LEVEL === 'debug' ? (error.stack ?? error.message) : error.message;
}
