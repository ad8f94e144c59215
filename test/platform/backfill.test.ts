import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { connect } from '../../src/database.ts';
import type { Services } from '../../src/platform/context/services.ts';
import { type Backfill, defineBackfill } from '../../src/platform/jobs/backfill.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { makeDatabase } from '../database.ts';
import { doubling } from './backfill-child.ts';

const database = await makeDatabase();
const connection = await connect(database.url, { poolSize: 2 });
const { db, orm } = connection;
const ROWS = 20;

beforeEach(async () => {
  await sql`drop table if exists planted`.execute(db);
  await sql`create table planted (number int primary key, doubled int, changes int not null default 0)`.execute(db);
  await sql`insert into planted select n from generate_series(1, ${sql.lit(ROWS)}) n`.execute(db);
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

function run(signal: AbortSignal, logged: unknown[] = [], backfill: Backfill = doubling): Promise<void> {
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const services = { em: orm.em, db, log } as unknown as Services; // all that the job uses
  return backfill.run(jobContext(services, 'test'), {}, { signal, retries: 0 });
}

const NEVER = new AbortController().signal;

test('a backfill that was killed continues where it was, and changes each row once', async () => {
  const child = fork(join(import.meta.dirname, 'backfill-child.ts'), [database.url]);
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await doubling.countRows(db)).toBe(ROWS - 3);

  const logged: unknown[] = [];
  await run(NEVER, logged);
  const wrong = sql`select from planted where doubled is distinct from number * 2 or changes <> 1`;
  expect((await wrong.execute(db)).rows).toEqual([]);
  expect(await doubling.countRows(db)).toBe(0);
  const fields = { backfill: 'test-doubling' };
  expect(logged).toEqual([
    expect.objectContaining({ ...fields, rows: ROWS - 4, msg: 'backfill continues' }),
    expect.objectContaining({ ...fields, rows: 0, msg: 'backfill ended' }),
  ]);
});

test('a backfill stops between two batches', async () => {
  const stopping = new AbortController();
  const batches: number[] = [];
  const counting = defineBackfill<number>('test-counting', {
    rows: sql`select from planted`,
    async runBatch(_ctx, after = 0) {
      batches.push(after);
      if (after === 2) stopping.abort();
      return after + 1;
    },
  });
  await expect(run(stopping.signal, [], counting)).rejects.toThrow(/abort/i);
  expect(batches).toEqual([0, 1, 2]);
});

test('rows that cannot be brought up to date are tried each time, and not logged', async () => {
  const tried: number[] = [];
  const failing = defineBackfill<number>('test-failing', {
    rows: sql`select from planted where doubled is null`,
    async runBatch(_ctx, after = 0) {
      if (after === ROWS) return undefined;
      tried.push(after + 1);
      return after + 1;
    },
  });
  const logged: unknown[] = [];
  await run(NEVER, logged, failing);
  expect([tried.length, logged]).toEqual([ROWS, []]);
});

test('a backfill without rows says nothing', async () => {
  await sql`truncate planted`.execute(db);
  const logged: unknown[] = [];
  await run(NEVER, logged);
  expect(logged).toEqual([]);
});
