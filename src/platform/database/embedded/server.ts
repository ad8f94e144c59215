import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { markErrorsHandled, markHandled } from '../../../lib/mark-handled.ts';
import type { OsAccount } from './account.ts';
import { readPostmaster, stopLeftover, stopPostmaster } from './postmaster.ts';
import type { Programs } from './programs.ts';
import { openServerLog, readTail } from './server-log.ts';

/** A server that accepts connections on 127.0.0.1. */
export interface Server {
  readonly port: number;
  stop(): Promise<void>;
}

/** Receives messages about unusual events. The default level is `info`. */
export type ServerEvents = (message: string, level?: 'info' | 'error') => void;

export interface Launch {
  readonly programs: Programs;
  readonly account: OsAccount;
  readonly data: string;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly logFile: string;
  readonly log: ServerEvents;
}

/**
 * Starts a server and resolves when it accepts connections. Throws an error with the end of its log if it does not.
 * Later, if the server ends unexpectedly, it is restarted on the same port, with pauses that grow to 10 seconds.
 */
export async function launchServer(launch: Launch): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const result = await attemptLaunch(launch, port);
    if (typeof result !== 'string') return keepRunning(result, launch, port);
    if (attempt === MAX_ATTEMPTS || !PASSING.test(result)) {
      throw new Error(`The embedded PostgreSQL did not start. Its log, ${launch.logFile}, ends with:\n${result}`);
    }
    await sleep(200 * attempt);
  }
}

/** Another program took the port first, or processes of a killed server have not ended yet. */
const PASSING = /could not bind|is still in use/;
const MAX_ATTEMPTS = 6;

/** PostgreSQL does not accept port 0, so the system is asked for a free port, which another program may take first. */
async function freePort(): Promise<number> {
  const probe = markErrorsHandled(createServer()).listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');
  return address.port;
}

/** The process of a server that accepts connections, or the log of a failed start. */
async function attemptLaunch(launch: Launch, port: number): Promise<ChildProcess | string> {
  const { account, programs, data, logFile, log } = launch;
  const settings = Object.entries({ ...launch.settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...words] = [...account.prefix, programs.postgres, '-D', data, ...settings];
  const output = await openServerLog(logFile);
  const { size } = await output.stat();
  const child = spawn(command, words, {
    cwd: '/',
    env: programs.environment,
    stdio: ['ignore', output.fd, output.fd],
    // Ctrl-C in a terminal must only reach the service, which stops the server after its own work.
    detached: true,
  });
  const abandon = () => child.kill('SIGINT');
  process.once('exit', abandon);
  child.once('exit', () => process.off('exit', abandon));
  let failure = '';
  child.on('error', (error) => {
    failure = error.message;
  });
  await output.close();
  const isReady = await untilReady(child, data, log);
  return isReady ? child : failure || readTail(logFile, size);
}

const isRunning = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

/** Waits as long as the process lives, since recovery after a crash can take minutes and must not be interrupted. */
async function untilReady(child: ChildProcess, data: string, log: ServerEvents): Promise<boolean> {
  const started = Date.now();
  let isPatient = true;
  while (isRunning(child)) {
    const postmaster = await readPostmaster(data);
    if (postmaster?.isReady && postmaster.pid === child.pid) return true;
    if (isPatient && Date.now() - started > 5_000) {
      log('PostgreSQL is still starting: it is recovering from its log after an unclean shutdown.');
      isPatient = false;
    }
    await sleep(10);
  }
  return false;
}

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 10_000;
/** After this time, a failure has nothing to do with the start. */
const STEADY_MS = 60_000;

/** Restarts the server whenever it ends without `stop`. */
function keepRunning(first: ChildProcess, launch: Launch, port: number): Server {
  const stopping = new AbortController();
  let child = first;
  const watch = async () => {
    for (let pause = FIRST_PAUSE_MS; ; ) {
      const startedAt = Date.now();
      const reason = await endOf(child);
      if (stopping.signal.aborted) return;
      launch.log(`The embedded PostgreSQL exited unexpectedly (${reason}): see ${launch.logFile}.`, 'error');
      if (Date.now() - startedAt > STEADY_MS) pause = FIRST_PAUSE_MS;
      const [next, nextPause] = await startAgain(launch, port, pause, stopping.signal);
      if (!next) return;
      [child, pause] = [next, nextPause];
      launch.log('The embedded PostgreSQL is running again.');
    }
  };
  const watching = markHandled(watch());
  return {
    port,
    async stop() {
      stopping.abort();
      if (child.pid !== undefined && isRunning(child)) await stopPostmaster(child.pid, () => isRunning(child));
      await watching;
    },
  };
}

async function endOf(child: ChildProcess): Promise<string> {
  if (isRunning(child)) await once(child, 'exit');
  return child.signalCode ?? `exit code ${child.exitCode}`;
}

async function launchAgain(launch: Launch, port: number): Promise<ChildProcess | string> {
  await stopLeftover(launch.data, launch.log);
  return attemptLaunch(launch, port);
}

/** The new server and the pause before the next attempt. No server if `stop` was called meanwhile. */
async function startAgain(
  launch: Launch,
  port: number,
  firstPause: number,
  signal: AbortSignal,
): Promise<[ChildProcess | undefined, number]> {
  for (let pause = firstPause; ; ) {
    await sleep(pause, undefined, { signal }).catch(() => {});
    if (signal.aborted) return [undefined, pause];
    pause = Math.min(pause * 2, LAST_PAUSE_MS);
    const result = await launchAgain(launch, port).catch((error: unknown) => String(error));
    if (typeof result === 'string') {
      launch.log(`The embedded PostgreSQL does not restart; the next attempt is in ${pause} ms. ${result}`, 'error');
    } else if (signal.aborted) {
      if (result.pid !== undefined) await stopPostmaster(result.pid, () => isRunning(result));
      return [undefined, pause];
    } else {
      return [result, pause];
    }
  }
}
