import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRET_KEY } from './database.ts';
import { PEERS_DIRECTORY, type Peer } from './peers.ts';

/** What a server has used since it began, all its processes together; their delays are those of the slowest. */
export interface Usage {
  cpuMs: number;
  rssBytes: number;
  /** The largest resident sizes since it began. */
  peakBytes: number;
  /** The longest delay of the event loop since usage was last asked for. */
  longestDelayMs: number;
  /** Delays since `measure`; a timer that is due every 5 ms makes them, so that an idle loop has about that. */
  delayMs: { p50: number; p99: number; max: number };
}

/** A server in a process of its own, which may have forked others. */
export interface ServerProcess {
  url: string;
  pid: number | undefined;
  usage(): Promise<Usage>;
  /** Begins to measure delays. */
  measure(): void;
  /** Whether it has not ended by itself. */
  isRunning(): boolean;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  databaseUrl: string;
  dataDir: string;
  /** Whether answers tell how many statements they took. That costs something, so it is off where time is measured. */
  countsStatements?: boolean;
  /** Directory for a CPU profile. */
  profile?: string | undefined;
  /** Settings over those of a benchmark. */
  environment?: Record<string, string>;
  /** The bundle of the server. By default the one of these sources, which is built. */
  bundle?: string;
}

const fileOf = (path: string) => join(import.meta.dirname, path);

/** The limits that `npm start` sets. */
const HEAP_LIMITS: string[] = JSON.parse(readFileSync(fileOf('../../package.json'), 'utf8'))
  .scripts.start.split(' ')
  .filter((word: string) => word.startsWith('--'));

/** The service as its container runs it, without background work and without limits that a benchmark would reach. */
export function startService(options: ServiceOptions): Promise<ServerProcess> {
  const { databaseUrl, dataDir, countsStatements = false, profile } = options;
  const environment = {
    MALLOC_ARENA_MAX: '1',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: '0',
    SECRET_KEY,
    WORKERS: '0',
    DEMO: '0',
    RATE_LIMIT: '10000000',
    QUERY_COST_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    SERVER_TIMING: countsStatements ? '1' : '0',
    ...options.environment,
  };
  if (options.bundle === undefined) execFileSync(process.execPath, [fileOf('../../build.mjs')], { stdio: 'inherit' });
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`, ...NOTICING];
  const bundle = options.bundle ?? fileOf('../../dist/main.mjs');
  return start(bundle, environment, [...HEAP_LIMITS, ...profiling]);
}

/** Does nothing without `STALLS_DIR`. */
const NOTICING = ['--import', join(import.meta.dirname, '../faults/notice-stalls.ts')];

/** The bare server that nobody can do less than: see `limit-server.ts`. */
export const startLimit = (databaseUrl: string): Promise<ServerProcess> =>
  start(fileOf('limit-server.ts'), { DATABASE_URL: databaseUrl });

/** A server of another project, see `peers.ts`. */
export const startPeer = (peer: Peer, databaseUrl: string): Promise<ServerProcess> =>
  start(join(PEERS_DIRECTORY, `${peer}.mjs`), { DATABASE_URL: databaseUrl, NODE_ENV: 'production' });

async function start(file: string, environment: Record<string, string>, flags: string[] = []): Promise<ServerProcess> {
  const child = fork(file, {
    execArgv: ['--import', fileOf('report-usage.mjs'), ...flags],
    // Where no `.env` of the developer's lies.
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([addressIn(child), ended.then(() => undefined)]);
  if (url === undefined) throw new Error(`${file} ended before it listened.`);
  return {
    url,
    pid: child.pid,
    async usage() {
      const answer = once(child, 'message');
      child.send('usage');
      return ((await answer)[0] as { usage: Usage }).usage; // what report-usage.mjs sends
    },
    measure: () => void child.send('measure'),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The first character of what is logged: `{`. */
const OBJECT = 0x7b;

/** Both servers print where they listen; what they log afterwards is shown. */
function addressIn(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let printed: string | undefined = '';
    child.stdout?.on('data', (chunk) => {
      if (printed !== undefined) {
        printed += chunk;
        const address = /listens on (http:\S+)/.exec(printed)?.[1];
        if (address !== undefined) {
          resolve(address);
          printed = undefined;
        }
      }
      if (chunk[0] === OBJECT) process.stderr.write(chunk);
    });
  });
}
