import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import { readPostmaster, stopPostmaster } from './postmaster.ts';
import type { Programs } from './programs.ts';
import { openServerLog, readTail } from './server-log.ts';

/** A server that accepts connections on 127.0.0.1. */
export interface Server {
  readonly port: number;
  stop(): Promise<void>;
}

export interface Launch {
  readonly programs: Programs;
  readonly account: Account;
  readonly data: string;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly logFile: string;
  readonly log: (message: string) => void;
}

/** Starts a server and answers when it accepts connections; throws with the end of its log where it does not. */
export async function launchServer(launch: Launch): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const result = await attemptLaunch(launch, port);
    if (result instanceof Function) return { port, stop: result };
    if (attempt === MAX_ATTEMPTS || !PASSING.test(result)) {
      throw new Error(`The embedded PostgreSQL did not start. Its log, ${launch.logFile}, ends with:\n${result}`);
    }
    await sleep(200 * attempt);
  }
}

/** Another program took the port first, or processes of a server that was killed have not noticed it yet. */
const PASSING = /could not bind|is still in use/;
const MAX_ATTEMPTS = 6;

/** PostgreSQL takes no 0 for a port, so one is asked from the system and may be lost again to somebody faster. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');
  return address.port;
}

/** The function that stops the server, or what the server wrote before it ended. */
async function attemptLaunch(launch: Launch, port: number): Promise<(() => Promise<void>) | string> {
  const { account, programs, data, logFile, log } = launch;
  const settings = Object.entries({ ...launch.settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...words] = [...account.prefix, programs.postgres, '-D', data, ...settings];
  const output = await openServerLog(logFile);
  const { size } = await output.stat();
  const child = spawn(command, words, {
    cwd: '/',
    env: programs.environment,
    stdio: ['ignore', output.fd, output.fd],
    // Ctrl-C in a terminal is for the service, which stops its server after its own work.
    detached: true,
  });
  const abandon = () => child.kill('SIGINT');
  process.once('exit', abandon);
  child.once('exit', () => process.off('exit', abandon));
  let failure = '';
  child.once('error', (error) => {
    failure = error.message;
  });
  await output.close();
  const isReady = await untilReady(child, data, log);
  return isReady ? supervise(child, launch) : failure || readTail(logFile, size);
}

const isRunning = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

/** Waits as long as the server lives: recovering from a crash may take minutes, and is not to be cut short. */
async function untilReady(child: ChildProcess, data: string, log: (message: string) => void): Promise<boolean> {
  const started = Date.now();
  let isPatient = true;
  while (isRunning(child)) {
    const postmaster = await readPostmaster(data);
    if (postmaster?.isReady && postmaster.pid === child.pid) return true;
    if (isPatient && Date.now() - started > 5_000) {
      log('PostgreSQL is still starting: it recovers from its log after an unclean end.');
      isPatient = false;
    }
    await sleep(10);
  }
  return false;
}

/** Says so when the server ends by itself. */
function supervise(child: ChildProcess, { log, logFile }: Launch): () => Promise<void> {
  const report = (code: number | null, signal: string | null) =>
    log(`The embedded PostgreSQL ended by itself (${signal ?? `exit code ${code}`}): see ${logFile}.`);
  child.once('exit', report);
  return async () => {
    child.off('exit', report);
    if (child.pid !== undefined && isRunning(child)) await stopPostmaster(child.pid, () => isRunning(child));
  };
}
