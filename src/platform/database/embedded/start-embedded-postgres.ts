import { join } from 'node:path';
import type { DataDir } from '../../data-dir/open-data-dir.ts';
import { serverAccount } from './account.ts';
import { clusterFiles, NAME, prepareCluster } from './cluster.ts';
import { openDiskReserve } from './disk-reserve.ts';
import { stopLeftover } from './postmaster.ts';
import { findPrograms } from './programs.ts';
import { launchServer, type ServerEvents } from './server.ts';
import { canHoldSocket } from './socket.ts';

/** A running embedded PostgreSQL server. */
export interface EmbeddedPostgres {
  /** Contains the password and must not be logged. */
  readonly url: string;
  /** Closes open sessions, and resolves when the server has ended. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: DataDir;
  /** Messages about the server. Its own log is `postgres.log` in the data directory. */
  readonly log: ServerEvents;
  /**
   * Size of the file that keeps disk space for the server. Without it, no file is created; an existing one is not
   * removed.
   */
  readonly reserveBytes?: number;
  /** Maximum connections of all service processes together. Operator commands have a separate reserve. */
  readonly connections?: number;
  /** Server settings (postgresql.conf) that override those of the service, for tests. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Search path for `unshare` and `setpriv`. */
  readonly searchPath?: string;
}

/**
 * Runs the PostgreSQL server that npm installed, with its files in `<dataDir>/postgres`. Resolves when it accepts
 * connections, which need a password that only the owner of the data directory can read, and are possible on 127.0.0.1
 * and through a socket in the data directory. The URL names the socket, over which a statement takes a third less time,
 * unless the directory cannot hold one. Needs no setup, even as root. If the server crashes, it is restarted on the
 * same port. It ends with this process, even after `kill -9` where the system has `setpriv`. A server that was left
 * running is stopped first.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' } = options;
  const reserve =
    options.reserveBytes === undefined ? undefined : await openDiskReserve(dataDir.path, options.reserveBytes, log);
  await stopLeftover(clusterFiles(dataDir), log);
  const programs = await findPrograms(dataDir, searchPath);
  const account = await serverAccount(programs);
  const { data, password } = await prepareCluster(dataDir, programs, account);
  const hasSocket = await canHoldSocket(data);
  const max_connections = Math.max(SETTINGS.max_connections, (options.connections ?? 0) + FOR_COMMANDS);
  const settings = {
    ...SETTINGS,
    max_connections,
    ...(hasSocket && { unix_socket_directories: '.' }),
    ...options.settings,
  };
  const logFile = join(dataDir.path, 'postgres.log');
  const { port, stop } = await launchServer({ programs, account, data, settings, logFile, log });
  const url = `postgresql://${NAME}:${password}@127.0.0.1:${port}/${NAME}${hasSocket ? `?host=${encodeURIComponent(data)}` : ''}`;
  reserve?.watch(url);
  return {
    url,
    async stop() {
      await reserve?.stop();
      await stop();
    },
  };
}

/** Connections for backups, other commands and PostgreSQL's own. */
const FOR_COMMANDS = 15;

/** Settings for small machines. All others have PostgreSQL's defaults. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 60,
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Random reads from an SSD cost nearly the same as sequential ones.
  random_page_cost: 1.1,
  jit: 'off',
  // There is no replication, and a checkpoint would write a file for it: without disk space, it would end the server.
  max_active_replication_origins: 0,
  max_replication_slots: 0,
  // Logs server events but no failing statements: callers report them, and they contain private content.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};
