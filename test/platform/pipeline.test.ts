import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/database.ts';
import { Cancellation } from '../../src/platform/cancellation.ts';
import { abortable } from '../../src/platform/database/abortable.ts';
import { isLockTimeout } from '../../src/platform/database/constraints.ts';
import type { Database } from '../../src/platform/database/tables.ts';
import { makeDatabase } from '../database.ts';

const database = await makeDatabase();
const { db, pipelined, close } = await connect(database.url, { poolSize: 4 });

afterAll(async () => {
  await close();
  await database.drop();
});

const sessionOf = async (on: Database) =>
  (
    await sql<{ pid: number; waits: string }>`
    select pg_backend_pid() as pid, current_setting('lock_timeout') as waits`.execute(on)
  ).rows[0];

const isPipelined = async () => (await sessionOf(pipelined))?.waits !== '0';

/** Statements go through the pool until the connection is open. */
beforeAll(async () => {
  while (!(await isPipelined())) await new Promise((resolve) => setTimeout(resolve, 5));
  await sql`create table thing (id int primary key, name text)`.execute(db);
});

const insert = (id: number, name: string) =>
  sql<{ id: number }>`insert into thing values (${id}, ${name}) returning id`.execute(pipelined);

test('statements of several requests share a connection, and each gets its own rows', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => index + 100);
  const results = await Promise.all(ids.map((id) => insert(id, `name ${id}`)));
  expect(results.map(({ rows }) => rows)).toEqual(ids.map((id) => [{ id }]));
  const sessions = await Promise.all(ids.map(() => sessionOf(pipelined)));
  expect(new Set(sessions.map((session) => session?.pid)).size).toBeLessThan(4);
});

test('a statement that fails takes none of the others with it', async () => {
  const [before, twice, invalid, after] = await Promise.allSettled([
    insert(1, 'before'),
    sql`insert into thing values (1, 'twice')`.execute(pipelined),
    sql`insert into thing values (${'not a number'}::int, 'x')`.execute(pipelined),
    insert(2, 'after'),
  ]);
  expect([before.status, twice.status, invalid.status, after.status]).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ]);
  const { rows } = await sql<{ name: string }>`select name from thing where id < 10 order by id`.execute(db);
  expect(rows).toEqual([{ name: 'before' }, { name: 'after' }]);
});

test('statements that are sent together are one transaction', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => index + 200);
  const inserts = ids.map((id) =>
    sql<{ transaction: string }>`
      insert into thing values (${id}, 'together') returning pg_current_xact_id()::text as transaction`.execute(
      pipelined,
    ),
  );
  const transactions = (await Promise.all(inserts)).map(({ rows }) => rows[0]?.transaction);
  expect(new Set(transactions).size).toBeLessThan(4);
});

test('statements that conflict at the end of their transaction fail alone', async () => {
  await sql`create table late (id int unique deferrable initially deferred)`.execute(db);
  const results = await Promise.allSettled(
    [1, 2, 2, 3].map((id) => sql`insert into late values (${id})`.execute(pipelined)),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  const { rows } = await sql<{ id: number }>`select id from late order by id`.execute(db);
  expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('statements that were skipped after one that failed are prepared when they run again', async () => {
  const failing = () => sql`select 1 / ${0}::int`.execute(pipelined).catch(() => 'failed');
  const fresh = (text: string) => sql<{ text: string }>`select ${text}::text || ' fresh' as text`.execute(pipelined);
  for (let time = 0; time < 3; time++) {
    const results = await Promise.all([failing(), failing(), fresh('a'), fresh('b')]);
    expect(results.slice(0, 2)).toEqual(['failed', 'failed']);
    expect(results.slice(2)).toMatchObject([{ rows: [{ text: 'a fresh' }] }, { rows: [{ text: 'b fresh' }] }]);
  }
});

test('any mix of statements has the effects that each has alone', async () => {
  const step = fc.constantFrom('insert', 'insert', 'insert', 'twice', 'invalid', 'value', 'read');
  let next = 1000;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      const begun = next;
      const run = async (kind: string): Promise<unknown> => {
        const id = kind === 'twice' ? begun - 1 : next++;
        if (kind === 'invalid') return sql`select ${'x'}::int`.execute(pipelined);
        if (kind === 'value') return sql`select ${{ toJSON: () => BigInt(1) }}::jsonb`.execute(pipelined);
        if (kind === 'read') return (await sessionOf(pipelined))?.pid;
        return insert(id, kind);
      };
      await insert(next++, 'first').catch(() => {});
      const results = await Promise.allSettled(steps.map(run));
      const wanted = steps.map((kind) => (['insert', 'read'].includes(kind) ? 'fulfilled' : 'rejected'));
      // What is inserted twice is there, unless this is the first time.
      const statuses = results.map(({ status }, index) => (steps[index] === 'twice' ? 'rejected' : status));
      expect(statuses).toEqual(wanted);
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from thing where id >= ${begun} and name = 'insert'`.execute(db);
      expect(rows[0]?.count).toBe(steps.filter((kind) => kind === 'insert').length);
    }),
    { numRuns: 60 },
  );
});

test('statements that are new to a connection are prepared once, even if they are sent before the first response', async () => {
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, index) => sql<{ n: number }>`select ${index}::int + 41 as n`.execute(pipelined)),
  );
  expect(results.map(({ rows }) => rows[0]?.n)).toEqual([41, 42, 43, 44, 45, 46, 47, 48]);
});

test('more statements than fit go through the pool', async () => {
  const sessions = await Promise.all(Array.from({ length: 60 }, () => sessionOf(pipelined)));
  expect(new Set(sessions.map((session) => session?.waits))).toEqual(new Set(['0', '50ms']));
});

test('a statement that waits for a lock fails soon, and those behind it run', async () => {
  await insert(50, 'locked');
  await db.transaction().execute(async (transaction) => {
    await sql`select from thing where id = 50 for update`.execute(transaction);
    const rename = sql`update thing set name = 'x' where id = 50`.execute(pipelined).catch((error) => error);
    const others = await Promise.all([insert(51, 'behind'), insert(52, 'behind')]);
    expect(others.map(({ rows }) => rows)).toEqual([[{ id: 51 }], [{ id: 52 }]]);
    expect(isLockTimeout(await rename)).toBe(true);
  });
});

test('nothing is sent for a request that is cancelled', async () => {
  const cancellation = new Cancellation();
  cancellation.cancel(new Error('The client disconnected.'));
  await expect(abortable(cancellation, () => insert(60, 'cancelled'))).rejects.toThrow('The client disconnected.');
  expect((await sql`select from thing where id = 60`.execute(db)).rows).toEqual([]);
});

test('after a lost connection, statements go through the pool, and then over a new one', async () => {
  const pids = async () =>
    new Set((await Promise.all(Array.from({ length: 8 }, () => sessionOf(pipelined)))).map((session) => session?.pid));
  for (const pid of await pids()) if (pid) await sql`select pg_terminate_backend(${pid}::int)`.execute(db);
  while (!(await isPipelined().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 5));
  await insert(70, 'later');
});

test('it cannot hold a transaction', async () => {
  await expect(pipelined.transaction().execute(async () => {})).rejects.toThrow('needs a connection of its own');
});
