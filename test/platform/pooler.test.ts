import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { connect } from '../../src/database.ts';
import { abortable } from '../../src/platform/database/abortable.ts';
import { sharesSessions } from '../../src/platform/database/pooler.ts';
import { setRoleDefaults } from '../../src/platform/database/role-defaults.ts';
import type { Database } from '../../src/platform/database/tables.ts';
import { runProgram } from '../command.ts';
import { administer, makeDatabase, type TestDatabase } from '../database.ts';
import { hasPgBouncer, type Pooler, startPgBouncer } from '../pgbouncer.ts';
import { configOf } from '../settings.ts';

vi.setConfig({ testTimeout: 120_000 });

const SECRET_KEY = 'a secret of at least thirty-two characters';

if (hasPgBouncer) withPgBouncer();
else test.skip('PgBouncer is not installed (Debian: pgbouncer): poolers were not tried', () => {});

function withPgBouncer() {
  /** Without the pooler of the run, if there is one. */
  let database: TestDatabase;
  let directory: string;
  const poolers: Pooler[] = [];

  beforeAll(async () => {
    const { url, directUrl = url, drop } = await makeDatabase();
    database = { url: directUrl, drop };
    directory = await mkdtemp(join(tmpdir(), 'stemma-pooled-'));
  });

  afterAll(async () => {
    for (const pooler of poolers) pooler.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  async function pooled(mode: string, settings: Record<string, string | number> = {}): Promise<string> {
    const pooler = await startPgBouncer(database.url, mode, settings);
    poolers.push(pooler);
    return pooler.url;
  }

  const TRANSACTION_MODES: Record<string, string | number>[] = [
    {},
    { server_round_robin: 1, min_pool_size: 5 },
    { default_pool_size: 1 },
    { server_reset_query: 'DISCARD ALL', server_reset_query_always: 1 },
  ];

  test("sessions behind a pooler in session mode, and without a pooler, are a client's own", async () => {
    expect(await sharesSessions(database.url)).toBe(false);
    expect(await sharesSessions(await pooled('session'))).toBe(false);
  });

  test.each(TRANSACTION_MODES)('a pooler in transaction mode is noticed with %o', async (settings) => {
    const url = await pooled('transaction', settings);
    for (let round = 0; round < 5; round++) expect(await sharesSessions(url)).toBe(true);
  });

  test('a pooler is noticed while others use it', async () => {
    const url = await pooled('transaction');
    let isOver = false;
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) await administer(url, 'select pg_sleep(.005)');
    });
    for (let round = 0; round < 5; round++) expect(await sharesSessions(url)).toBe(true);
    isOver = true;
    await Promise.all(others);
  });

  test('the doctor leaves no settings of its own in the sessions of a pooler', async () => {
    const url = await pooled('transaction', { default_pool_size: 1 });
    const { output } = await runProgram('doctor', [], environmentOf(url));
    expect(output).toMatch(
      /^ok +session +shared by a pooler in transaction mode: .* Without DATABASE_DIRECT_URL, events are polled every second/m,
    );
    const direct = { ...environmentOf(url), DATABASE_DIRECT_URL: database.url };
    expect((await runProgram('doctor', [], direct)).output).toMatch(
      /^ok +session +shared by a pooler in transaction mode: .* notifications and jobs use DATABASE_DIRECT_URL/m,
    );
    const [shown] = await administer(
      url,
      `select current_setting('statement_timeout') as statements,
      current_setting('lock_timeout') as locks, current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(shown).toEqual({ statements: '0', locks: '0', idle: '0' });
  });

  test('the doctor notices a setting that another client has left in the session of a pooler', async () => {
    const url = await pooled('transaction', { default_pool_size: 1 });
    await setRoleDefaults(database.url, url);
    await administer(url, "set jit to 'on'");
    expect((await runProgram('doctor', [], environmentOf(url))).output).toMatch(
      /^problem +session +A session of the pooler has other values of jit than the role/m,
    );
    await administer(url, "set jit to 'off'");
    expect((await runProgram('doctor', [], environmentOf(url))).output).toMatch(/^ok +session/m);
  });

  test('a pooler in statement mode is refused by the service, a worker and the doctor', async () => {
    const url = await pooled('statement');
    await expect(sharesSessions(url)).rejects.toThrow(/pool_mode = transaction/);
    const environment = environmentOf(url);
    for (const program of ['main', 'worker']) {
      const { code, output } = await runProgram(program, [], environment);
      expect([code, output]).toEqual([1, expect.stringMatching(/^A pooler .*pool_mode = transaction\)/)]);
    }
    const { code, output } = await runProgram('doctor', [], environment);
    expect([code, output]).toEqual([1, expect.stringMatching(/^problem +session +A pooler/m)]);
  });

  // The migrations need two sessions at once.
  test.each(TRANSACTION_MODES.filter((settings) => settings.default_pool_size !== 1))(
    'the first start makes an empty database ready through a pooler with %o',
    async (settings) => {
      const name = `stemma_pooled_${poolers.length}`;
      await administer(database.url, `create database ${name}`);
      const url = new URL(await pooled('transaction', settings));
      url.pathname = `/${name}`;
      const app = await createApp({
        config: configOf({ DATA_DIR: await mkdtemp(join(directory, 'data-')), WORKERS: '1' }),
        databaseUrl: url.href,
        secretKey: SECRET_KEY,
        log: pino({ level: 'error' }),
      });
      try {
        const { db } = app.services;
        const setting = (setting: string) => sql`current_setting(${setting})`;
        const shown = sql`select ${setting('timezone')} as zone, ${setting('plan_cache_mode')} as plans`;
        const sessions = await Promise.all(Array.from({ length: 20 }, async () => (await shown.execute(db)).rows[0]));
        expect(sessions).toEqual(Array(20).fill({ zone: 'UTC', plans: 'force_generic_plan' }));
        expect((await appTables(db)).length).toBeGreaterThan(50);
      } finally {
        await app.close();
        await administer(database.url, `drop database ${name} with (force)`);
      }
    },
  );

  test('a statement that is cancelled ends in the server, and others of the same session go on', async () => {
    const url = await pooled('transaction');
    const connection = await connect(url, { poolSize: 4 });
    const { db } = connection;
    const cancellation = new AbortController();
    const sleeping = abortable(cancellation.signal, () => sql`select pg_sleep(60) as "slept"`.execute(db));
    const running = async () =>
      (
        await administer(
          database.url,
          `select from pg_stat_activity where query like '%"slept"%' and state = 'active'
        and pid <> pg_backend_pid()`,
        )
      ).length;
    await expect.poll(running).toBe(1);
    cancellation.abort(new Error('The client has left.'));
    await expect(sleeping).rejects.toThrow('The client has left.');
    await expect.poll(running).toBe(0);
    const numbers = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => sql<{ n: number }>`select ${n}::int as n`.execute(db)),
    );
    expect(numbers.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3, 4, 5]);
    await connection.close();
  });

  const appTables = async (db: Database) =>
    (await sql`select from pg_tables where schemaname = 'public'`.execute(db)).rows;

  const environmentOf = (url: string) => ({
    DATABASE_URL: url,
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    SECRET_KEY,
  });
}
