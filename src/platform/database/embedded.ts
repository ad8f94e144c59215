import { join } from 'node:path';
import type { DataDir } from '../data-dir/open-data-dir.ts';
import { serverAccount } from './embedded/account.ts';
import { clusterFiles, NAME, prepareCluster } from './embedded/cluster.ts';
import { stopLeftover } from './embedded/postmaster.ts';
import { findPrograms } from './embedded/programs.ts';
import { launchServer, type ServerEvents } from './embedded/server.ts';

/** A running PostgreSQL of our own. */
export interface EmbeddedPostgres {
  /** With the password in it: not for logs. */
  readonly url: string;
  /** Cuts the sessions that are still open and resolves when the server is gone. May be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: DataDir;
  /** The server's own log is `postgres.log` in the data directory. */
  readonly log: ServerEvents;
  /** Server settings (postgresql.conf) over those of the service, for data that need not survive. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Where the system's `unshare` and `setpriv` are looked for. */
  readonly searchPath?: string;
}

/**
 * Runs the PostgreSQL that npm installed, with its files in `<dataDir>/postgres`, and answers when it accepts
 * connections: on 127.0.0.1 only, with a password that only the owner of the data directory can read. Whoever starts
 * it, root included, needs to prepare nothing. One that ends by itself is started again at the same address. It ends
 * with this process, in order even after `kill -9` where the
 * system has `setpriv`; one that was left running all the same is stopped first.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' } = options;
  await stopLeftover(clusterFiles(dataDir), log);
  const programs = await findPrograms(dataDir, searchPath);
  const account = await serverAccount(programs);
  const { data, password } = await prepareCluster(dataDir, programs, account);
  const settings = { ...SETTINGS, ...options.settings };
  const logFile = join(dataDir.path, 'postgres.log');
  const { port, stop } = await launchServer({ programs, account, data, settings, logFile, log });
  return { url: `postgresql://${NAME}:${password}@127.0.0.1:${port}/${NAME}`, stop };
}

/** For a small machine. Whatever is not here is PostgreSQL's default. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 60,
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Reads of an SSD cost the same in any order.
  random_page_cost: 1.1,
  jit: 'off',
  // Events of the server and no failing statements: those are the caller's to report, and hold texts of documents.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};
