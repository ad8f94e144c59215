import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll } from 'vitest';
import { createApp } from '../../src/app.ts';
import { configOf } from '../settings.ts';
import type { World } from '../world.ts';

/** A second process of the same service: the same database and clock, a server of its own. Answers its address. */
export async function secondProcess(
  { app, databaseUrl }: World,
  environment: Record<string, string> = {},
): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-second-'));
  const config = configOf({ DATA_DIR: dataDir, ...environment });
  const { secretKeys, clock } = app.services;
  const second = await createApp({
    config,
    databaseUrl,
    secretKey: secretKeys.current,
    clock,
    log: pino({ level: 'error' }),
  });
  afterAll(async () => {
    await second.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return `http://127.0.0.1:${await second.listen()}`;
}

/** A session of its own that can stand in the way of the service. Ends what it holds when it goes out of scope. */
export async function intruder(databaseUrl: string) {
  const session = new pg.Client(databaseUrl);
  await session.connect();
  const lockRow = async (table: string, id: string) => {
    await session.query('begin');
    await session.query(`select from ${table} where id = $1 for update`, [id]);
  };
  return {
    /** Holds an organization's row until `release`. */
    lockOrganization: (id: string) => lockRow('organization', id),
    lockSpace: (id: string) => lockRow('space', id),
    /** Holds a row until `release`. */
    lockRow,
    /** Holds a table against all who read or write it. */
    async lockTable(name: string): Promise<void> {
      await session.query('begin');
      await session.query(`lock table ${name} in access exclusive mode`);
    },
    /** How many statements of the service wait for a lock. */
    async waiting(): Promise<number> {
      // Inside a transaction the server shows what it showed first.
      await session.query('select pg_stat_clear_snapshot()');
      const { rows } = await session.query(
        `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows[0].count;
    },
    /** Cuts the connections that wait for a lock, as a restart of the database would. */
    cutWaiting: () =>
      session.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      ),
    release: () => session.query('commit'),
    [Symbol.asyncDispose]: () => session.end(),
  };
}

/** Goes to the beginning of a minute, so that a test's requests fall into one. */
export function toNextMinute({ app, advance }: Pick<World, 'app' | 'advance'>): void {
  advance(60_000 - (app.services.clock().getTime() % 60_000));
}
