import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from './config.ts';
import { markHandled } from './lib/mark-handled.ts';
import { makeLog } from './make-log.ts';
import { currentLog } from './platform/database/abortable.ts';
import { watchProcess } from './platform/log/process-faults.ts';
import { killServers, onceStopped, requestStop } from './run-servers.ts';
import { onStopSignals } from './stop-signals.ts';

const STOP_WITHIN_MS = 10_000;
/** Additional time for a process that waits for server processes to stop. */
const STOP_LATER_MS = 5_000;

/** Closes something. Connections are accepted for `delayMs` more. */
type Close = (delayMs: number) => void | Promise<void>;

/** Registers a function that closes something. At the end they run in reverse order. */
export type RegisterClose = (close: Close) => void;

/**
 * Reads the configuration, starts, and shuts down gracefully on SIGINT and SIGTERM, and with exit code 1 after an
 * exception that nothing caught. Connections are accepted for a while after SIGTERM, which supervisors send, but not
 * after SIGINT (Ctrl-C) or an exception. A second signal, or ten seconds after that while, end the process immediately.
 * Errors during the start are printed as their message.
 */
export async function runProcess(start: (config: Config, opened: RegisterClose) => Promise<void>): Promise<void> {
  const closers: Close[] = [];
  let shutdownDelayMs = 0;
  let stopping: Promise<void> | undefined;
  const stop = (code: number, delayMs = 0): void => {
    stopping ??= markHandled(stopNow(code, delayMs));
  };
  const stopNow = async (code: number, delayMs: number): Promise<void> => {
    const isStarter = Object.keys(cluster.workers ?? {}).length > 0;
    setTimeout(exitNow, delayMs + STOP_WITHIN_MS + (isStarter ? STOP_LATER_MS : 0)).unref();
    for (let close = closers.pop(); close; close = closers.pop()) {
      // A failure must not keep the others open: the embedded database is among the last.
      await closed(close, delayMs).catch((error: unknown) => void process.stderr.write(`${textOf(error)}\n`));
    }
    process.exitCode ??= code;
    // The channel to the process that started this one would keep it running.
    if (process.connected) process.disconnect();
  };
  let log = makeLog('info');
  watchProcess(
    () => currentLog() ?? log,
    () => {
      process.exitCode = 1;
      if (!cluster.isWorker) return stop(1);
      // The starting process passes no further connections before this one stops, and then starts another.
      requestStop();
      setTimeout(() => process.exit(), STOP_WITHIN_MS + STOP_LATER_MS).unref();
    },
  );
  // A terminal and systemd send signals to server processes, too.
  onStopSignals(
    (signal) => {
      if (cluster.isWorker) return requestStop();
      if (stopping) exitNow();
      stop(0, signal === 'SIGTERM' ? shutdownDelayMs : 0);
    },
    () => (cluster.isWorker ? requestStop() : exitNow()),
  );
  if (cluster.isWorker) {
    onceStopped(() => stop(0));
    // The process that started this one is gone, perhaps already.
    process.on('disconnect', () => stop(1));
    if (!process.connected) stop(1);
  }
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    const config = readConfig(process.env);
    log = makeLog(config.logLevel);
    shutdownDelayMs = config.shutdownDelayMs;
    await start(config, (close) => {
      if (!stopping) return void closers.push(close);
      // Stopped while starting: close what was opened meanwhile, and open nothing more.
      markHandled(closed(close, 0));
      throw new ConfigError('Stopped while starting.');
    });
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : textOf(error)}\n`);
    stop(1);
    await stopping;
  }
}

const closed = async (close: Close, delayMs: number): Promise<void> => close(delayMs);

function exitNow(): never {
  killServers();
  process.exit(1);
}

/** The message of an error; with LOG_LEVEL=debug its stack. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env.LOG_LEVEL === 'debug' ? (error.stack ?? error.message) : error.message;
}
