import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { connect } from '../../src/database.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import type { DatabaseConnection } from '../../src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { fill } from './fill/fill.ts';
import type { Options } from './options.ts';

/** Signs cursors; any text that is long enough. */
export const SECRET_KEY = 'the secret key of benchmarks, known to all';

/** Enough for the pools of all servers that are compared, each in one process, and of each process more. */
const ALL_CONNECTIONS = 200;
const CONNECTIONS_OF_PROCESS = 60;

/** A database for one run, filled, and gone after it. */
export interface FilledDatabase {
  url: string;
  connection: DatabaseConnection;
  close(): Promise<void>;
}

/**
 * Starts a PostgreSQL of its own with the service's settings, but connections for all contestants, and answers a copy
 * of a filled database: every run begins with the same rows. What was filled stays in `directory` where one is given.
 */
export async function openFilled(
  directory: string | undefined,
  { scale, processes }: Pick<Options, 'scale' | 'processes'>,
): Promise<FilledDatabase> {
  const path = directory ?? (await mkdtemp(join(tmpdir(), 'stemma-bench-')));
  const dataDir = await openDataDir(path);
  const server = await startEmbeddedPostgres({
    dataDir,
    log: console.error,
    settings: { max_connections: ALL_CONNECTIONS + (processes - 1) * CONNECTIONS_OF_PROCESS },
  });
  const stop = async () => {
    await server.stop();
    dataDir.close();
    if (directory === undefined) await rm(path, { recursive: true, force: true });
  };
  try {
    const template = `filled_${scale}`.replace('.', '_');
    await administer(server.url, (run) => makeCopy(server.url, template, scale, run));
    const url = addressOf(server.url, RUN);
    const connection = await connect(url, { poolSize: 2 });
    return {
      url,
      connection,
      async close() {
        await connection.close();
        await administer(server.url, (run) => run(`drop database ${RUN} with (force)`)).finally(stop);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const RUN = 'run';
const UNFINISHED = 'unfinished';

type RunStatement = (statement: string) => Promise<Record<string, unknown>[]>;

async function administer(url: string, act: (run: RunStatement) => Promise<unknown>): Promise<void> {
  const { db, close } = await connect(url, { poolSize: 1 });
  try {
    await act(async (statement) => (await sql<Record<string, unknown>>`${sql.raw(statement)}`.execute(db)).rows);
  } finally {
    await close();
  }
}

/** Copies the template to the run's database. The template has its name once it is filled to the end. */
async function makeCopy(serverUrl: string, template: string, scale: number, run: RunStatement): Promise<void> {
  const known = await run(`select from pg_database where datname = '${template}'`);
  if (known.length === 0) {
    await run(`drop database if exists ${UNFINISHED} with (force)`);
    await run(`create database ${UNFINISHED}`);
    await fillDatabase(addressOf(serverUrl, UNFINISHED), scale);
    await run(`alter database ${UNFINISHED} rename to ${template}`);
  }
  await run(`drop database if exists ${RUN} with (force)`);
  await run(`create database ${RUN} template ${template}`);
  await run('checkpoint');
}

async function fillDatabase(databaseUrl: string, scale: number): Promise<void> {
  const begun = performance.now();
  // Files of its own: those in the working directory may belong to another database.
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-bench-files-'));
  const config = readConfig({ WORKERS: '0', DEMO: '0', STATEMENT_TIMEOUT_MS: '600000', DATA_DIR: dataDir });
  const app = await createApp({ config, databaseUrl, secretKey: SECRET_KEY, log: pino({ level: 'error' }) });
  try {
    await fill(app.services, scale);
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  // What autovacuum would have done by the time that anybody asks.
  await administer(databaseUrl, (run) => run('vacuum analyze'));
  console.error(`Filled at scale ${scale} in ${Math.round((performance.now() - begun) / 1_000)} s.`);
}

function addressOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
