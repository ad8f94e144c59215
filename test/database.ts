import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { setRoleDefaults } from '../src/platform/database/role-defaults.ts';

/** A migrated, empty database of one test file. */
export interface TestDatabase {
  readonly url: string;
  /** The same without the pooler of the run, if there is one. */
  readonly directUrl?: string;
  /** Cuts whatever is still connected. */
  drop(): Promise<void>;
}

/**
 * Clones the template of this run; safe to call from several files at once. Its address is that of the run's pooler, if
 * there is one. Files are copied: through the log, which is the default, it takes three times as long.
 */
export async function makeDatabase(): Promise<TestDatabase> {
  const { adminUrl, pooledUrl, template } = inject('databases');
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await retried(
    () => administer(adminUrl, `create database ${name} template ${template} strategy file_copy`),
    // PostgreSQL's own processes may look into a template for a moment, and it can not be cloned meanwhile.
    OBJECT_IN_USE,
  );
  const drop = async () => {
    await retried(
      () => administer(adminUrl, `drop database if exists ${name} with (force)`),
      // The tests' role may not end an autovacuum worker, which PostgreSQL 15 refuses with this code.
      INSUFFICIENT_PRIVILEGE,
    );
  };
  const direct = databaseUrl(adminUrl, name);
  if (pooledUrl === undefined) return { url: direct, drop };
  const url = databaseUrl(pooledUrl, name);
  // As the start of the service does. The service of a test takes the database for migrated.
  await setRoleDefaults(direct, url);
  return { url, directUrl: direct, drop };
}

/** The same server's address for another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** The URL of a database with another TCP port of this machine: that of its server, or of a proxy before it. */
export function atPort(databaseUrl: string, port: number | undefined): string {
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  url.searchParams.delete('host'); // the directory of the server's socket
  return url.href;
}

/** One statement on a connection of its own. */
export async function administer(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const OBJECT_IN_USE = '55006';
const INSUFFICIENT_PRIVILEGE = '42501';

/** Runs a statement again, for up to two seconds, while PostgreSQL refuses it with the error code. */
async function retried(statement: () => Promise<unknown>, code: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await statement();
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== code || attempt === 20) throw error;
      await sleep(100);
    }
  }
}
