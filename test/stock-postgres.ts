import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { administer, databaseUrl, type TestDatabase } from './database.ts';
import { PackagedServer } from './packaged-server.ts';

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
/**
 * The server does not ask for it, since it trusts all connections from this machine. Tests check that it is never
 * shown.
 */
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
  const server = await PackagedServer.start(directory, join(home, 'data'), options.settings);
  const adminUrl = server.url;
  await administer(adminUrl, `create role ${ROLE} login createdb password '${PASSWORD}'`);
  for (const [name, value] of (options.contrary ?? true) ? Object.entries(CONTRARY) : []) {
    const words = name === 'search_path' ? value : `'${value}'`;
    await administer(adminUrl, `alter role ${ROLE} set ${name} to ${words}`);
  }
  const url = `postgresql://${ROLE}:${PASSWORD}@127.0.0.1:${server.port}/postgres`;
  const replicas: PackagedServer[] = [];
  return {
    url,
    async makeReplica(settings = {}) {
      const replica = await server.replicate(join(home, `replica-${replicas.length}`), { settings });
      replicas.push(replica);
      return replicaOf(replica, adminUrl);
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
    },
  };
}

function replicaOf(replica: PackagedServer, primaryUrl: string): StockReplica {
  const urlOf = (url: string) => {
    const address = new URL(url);
    address.port = String(replica.port);
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
    kill: () => replica.kill(),
  };
}
