import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../src/database.ts';
import { jobs } from '../src/jobs.ts';
import { openDataDir } from '../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../src/platform/database/embedded/start-embedded-postgres.ts';
import { openJobQueue } from '../src/platform/jobs/job-queue.ts';
import '../build.mjs';
import { administer, databaseUrl } from './database.ts';
import { findInstalledPostgres } from './installed-postgres.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { startStockPostgres } from './stock-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databases: { adminUrl: string; pooledUrl: string | undefined; template: string };
  }
}

/**
 * The web application as it is built, and one server and one migrated template database for the whole run: a throwaway
 * server of the embedded PostgreSQL, one of the installed version that TEST_POSTGRES names (`15`), or the server of
 * TEST_DATABASE_URL, where the user must be allowed to create databases. With TEST_POOLER=transaction, the tests reach
 * it through PgBouncer.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? { url: given, stop: async () => {} } : await startThrowaway(process.env.TEST_POSTGRES);
  const template = `stemma_test_${randomBytes(4).toString('hex')}`;
  const session = new pg.Client({ connectionString: server.url, application_name: template });
  const pooler = await startPooler(server.url, process.env.TEST_POOLER);
  const teardown = async () => {
    pooler?.stop();
    await session.end();
    if (given) await dropAbandoned(given);
    await server.stop();
  };
  try {
    await session.connect();
    await dropAbandoned(server.url);
    await makeTemplate(server.url, template);
  } catch (error) {
    await teardown().catch(() => {});
    throw error;
  }
  project.provide('databases', { adminUrl: server.url, pooledUrl: pooler?.url, template });
  return teardown;
}

const PREFIX = 'stemma-test-';

/**
 * The data of a run need not survive a crash of the machine. Three workers have up to eight services open each, with a
 * pool per service. The databases live too briefly to be vacuumed.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 400,
  autovacuum: 'off',
};

/** Each file has a database, whose sessions the pooler closes soon after it. */
const POOLER = { default_pool_size: 10, server_idle_timeout: 5, max_client_conn: 2_000 };

const startPooler = async (url: string, mode: string | undefined) =>
  mode === undefined ? undefined : await startPgBouncer(url, mode, POOLER);

async function startThrowaway(version: string | undefined) {
  await removeAbandoned();
  return version ? startInstalled(version) : startEmbedded();
}

function startInstalled(version: string) {
  const directory = findInstalledPostgres(Number(version));
  if (directory !== undefined) return startStockPostgres(directory, { contrary: false, settings: SETTINGS });
  throw new Error(
    `TEST_POSTGRES is ${version}, but no PostgreSQL ${version} is installed (Debian: postgresql-${version}).`,
  );
}

async function startEmbedded() {
  const directory = await mkdtemp(join(tmpdir(), PREFIX));
  // Vitest exits within a millisecond of a signal, without teardown. The server is then told to end by itself.
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  const dataDir = await openDataDir(directory);
  const server = await startEmbeddedPostgres({ dataDir, log: console.error, settings: SETTINGS });
  const stop = async () => {
    await server.stop();
    dataDir.close();
    remove();
    process.off('exit', remove);
  };
  return { url: server.url, stop };
}

/** Directories of runs that were killed: no process holds their lock. Fresh ones may be about to take it. */
async function removeAbandoned(): Promise<void> {
  const minuteAgo = Date.now() - 60_000;
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(tmpdir(), name);
    const found = await stat(directory).catch(() => null);
    if (found === null || found.mtimeMs > minuteAgo) continue;
    const dataDir = await openDataDir(directory).catch(() => null);
    if (dataDir === null) continue;
    await rm(directory, { recursive: true, force: true });
    dataDir.close();
  }
}

/** Every run keeps a session that bears the name of its template: databases without one belong to a run that ended. */
async function dropAbandoned(adminUrl: string): Promise<void> {
  const names = await administer(
    adminUrl,
    `select datname from pg_database where datname ~ '^stemma_test_[0-9a-f]{8}'
     and not exists (select from pg_stat_activity where application_name = left(datname, 20))`,
  );
  for (const { datname } of names) await administer(adminUrl, `drop database if exists ${datname} with (force)`);
}

/** Nothing may connect to the template: a database with sessions can not be cloned. */
async function makeTemplate(adminUrl: string, template: string): Promise<void> {
  await administer(adminUrl, `create database ${template}`);
  const url = databaseUrl(adminUrl, template);
  await migrateDatabase(url);
  const queue = await openJobQueue({ databaseUrl: url, jobs, works: false, log: pino({ level: 'error' }) });
  await queue.close();
  await administer(adminUrl, `alter database ${template} with allow_connections false`);
}
