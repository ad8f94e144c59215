import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverAccount } from '../src/platform/database/embedded/account.ts';
import { readPostmaster } from '../src/platform/database/embedded/postmaster.ts';
import { run } from '../src/platform/database/embedded/run.ts';
import { launchServer, type Server } from '../src/platform/database/embedded/server.ts';
import { administer, databaseUrl, type TestDatabase } from './database.ts';
import { findInstalledPostgres, SUPPORTED } from './installed-postgres.ts';

/** A server as a distribution packages it, with a role whose defaults contradict what the service needs. */
export interface StockServer {
  /** Of the role, which owns nothing yet and may create databases. */
  readonly url: string;
  /** An empty database of the role. */
  makeDatabase(): Promise<TestDatabase>;
  /** A streaming replica, from a base backup. It stops with the server. */
  makeReplica(settings?: Readonly<Record<string, string | number>>): Promise<StockReplica>;
  stop(): Promise<void>;
}

/** A replica of a `StockServer`. */
export interface StockReplica {
  /** The address on it of a database of the server. */
  urlOf(databaseUrl: string): string;
  /** One statement of a superuser. */
  administer(statement: string): Promise<Record<string, unknown>[]>;
  /** Waits until it has replayed what the server has written. */
  catchUp(): Promise<void>;
  /** Kills the server. It is started again at the same address. */
  kill(): Promise<void>;
}

/** The programs of the oldest packaged PostgreSQL that is supported; undefined where this machine has none. */
export function findStockPostgres(): string | undefined {
  return SUPPORTED.map(findInstalledPostgres).find((directory) => directory !== undefined);
}

/** Defaults that a server, database or role may well have. */
const CONTRARY = {
  jit: 'on',
  jit_above_cost: '0',
  datestyle: 'SQL, DMY',
  timezone: 'Asia/Kolkata',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  default_transaction_isolation: 'serializable',
  search_path: 'odd, "$user"',
  plan_cache_mode: 'force_custom_plan',
  lock_timeout: '20ms',
  statement_timeout: '500ms',
  idle_session_timeout: '2s',
  idle_in_transaction_session_timeout: '20ms',
  client_encoding: 'LATIN1',
};

const ROLE = 'owner';
/** Nobody asks for it: the server trusts everybody on this machine. Tests see to it that it is never shown. */
const PASSWORD = 'of-the-owner';

interface StockOptions {
  /** False leaves the defaults of the role as they come. */
  readonly contrary?: boolean;
  /** Server settings (postgresql.conf). */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Starts a throwaway server of the programs in a directory. It ends with this process at the latest. */
export async function startStockPostgres(directory: string, options: StockOptions = {}): Promise<StockServer> {
  const home = await mkdtemp(join(tmpdir(), 'stemma-stock-'));
  const programs = {
    initdb: join(directory, 'initdb'),
    postgres: join(directory, 'postgres'),
    environment: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
  };
  const account = await serverAccount(programs);
  if (account.uid !== undefined) await chown(home, account.uid, account.uid);
  const data = join(home, 'data');
  const init = ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  await run([...account.prefix, programs.initdb, ...init], programs.environment);
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', ...options.settings };
  const logFile = `${home}.log`;
  const server = await launchServer({ programs, account, data, settings, logFile, log: () => {} });
  const adminUrl = `postgresql://postgres@127.0.0.1:${server.port}/postgres`;
  await administer(adminUrl, `create role ${ROLE} login createdb password '${PASSWORD}'`);
  for (const [name, value] of (options.contrary ?? true) ? Object.entries(CONTRARY) : []) {
    const words = name === 'search_path' ? value : `'${value}'`;
    await administer(adminUrl, `alter role ${ROLE} set ${name} to ${words}`);
  }
  const url = `postgresql://${ROLE}:${PASSWORD}@127.0.0.1:${server.port}/postgres`;
  const replicas: Server[] = [];
  return {
    url,
    async makeReplica(changed = {}) {
      const copy = join(home, `replica-${replicas.length}`);
      const words = ['--pgdata', copy, '--dbname', adminUrl, '--checkpoint=fast', '--write-recovery-conf', '--no-sync'];
      await run([...account.prefix, join(directory, 'pg_basebackup'), ...words], programs.environment);
      const replica = await launchServer({
        programs,
        account,
        data: copy,
        settings: { ...settings, ...changed },
        logFile: `${copy}.log`,
        log: () => {},
      });
      replicas.push(replica);
      return replicaOf(replica, copy, adminUrl);
    },
    async makeDatabase() {
      const name = `stock_${randomBytes(4).toString('hex')}`;
      await administer(adminUrl, `create database ${name} owner ${ROLE}`);
      await administer(databaseUrl(adminUrl, name), `create schema odd authorization ${ROLE}`);
      const drop = async () => {
        await administer(adminUrl, `drop database if exists ${name} with (force)`);
      };
      return { url: databaseUrl(url, name), drop };
    },
    async stop() {
      for (const replica of replicas) await replica.stop();
      await server.stop();
      await rm(home, { recursive: true, force: true });
      await rm(logFile, { force: true });
    },
  };
}

function replicaOf({ port }: Server, data: string, primaryUrl: string): StockReplica {
  const urlOf = (url: string) => {
    const address = new URL(url);
    address.port = String(port);
    return address.href;
  };
  const administerIt = (statement: string) => administer(urlOf(primaryUrl), statement);
  return {
    urlOf,
    administer: administerIt,
    async catchUp() {
      const [written] = await administer(primaryUrl, 'select pg_current_wal_flush_lsn()::text as lsn');
      const hasReplayed = async () => {
        const [row] = await administerIt(`select pg_last_wal_replay_lsn() >= '${written?.lsn}' as done`);
        return row?.done === true;
      };
      while (!(await hasReplayed())) await sleep(10);
    },
    async kill() {
      const running = await readPostmaster(data);
      if (running) process.kill(running.pid, 'SIGKILL');
    },
  };
}
