import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/database.ts';
import { Cancellation } from '../../src/platform/cancellation.ts';
import { abortable } from '../../src/platform/database/abortable.ts';
import { isLockTimeout } from '../../src/platform/database/constraints.ts';
import type { Database } from '../../src/platform/database/tables.ts';
import { unavailabilityOf } from '../../src/platform/database/unavailable.ts';
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

const isPipelined = async (on = pipelined) => (await sessionOf(on))?.waits !== '0';

/** Statements go through the pool until the connection is open. */
async function untilPipelined(on: Database): Promise<void> {
  while (!(await isPipelined(on))) await sleep(5);
}

beforeAll(async () => {
  await untilPipelined(pipelined);
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

test('a statement that waits to be sent is not sent once its request is cancelled', async () => {
  // One for each connection.
  const running = [1, 2].map(() => sql`select pg_sleep(.3)`.execute(pipelined));
  await sleep(50);
  const cancellation = new Cancellation();
  const waiting = abortable(cancellation, () => insert(61, 'cancelled'));
  const behind = insert(62, 'behind');
  cancellation.cancel(new Error('The time is over.'));
  await expect(waiting).rejects.toThrow('The time is over.');
  await Promise.all([...running, behind]);
  expect((await sql`select id from thing where id in (61, 62)`.execute(db)).rows).toEqual([{ id: 62 }]);
});

test('a statement that exceeds its time limit fails alone, and does not run again', async () => {
  const limited = await connect(database.url, { poolSize: 2, statementTimeoutMs: 300 });
  await untilPipelined(limited.pipelined);
  await sql`create sequence run`.execute(db);
  const slow = sql`select nextval('run'), pg_sleep(5)`.execute(limited.pipelined).catch((error) => error);
  const others = [63, 64, 65].map((id) => sql`insert into thing values (${id}, 'fast')`.execute(limited.pipelined));
  expect(unavailabilityOf(await slow)?.message).toContain('took too long');
  await Promise.all(others);
  expect((await sql<{ runs: number }>`select last_value as runs from run`.execute(db)).rows).toEqual([{ runs: 1 }]);
  await limited.close();
});

test('a time limit of the driver ends with its statements', async () => {
  const url = new URL(database.url);
  url.searchParams.set('query_timeout', '200');
  const limited = await connect(url.href, { poolSize: 2 });
  await untilPipelined(limited.pipelined);
  const pid = async () => (await sessionOf(limited.pipelined))?.pid;
  const before = await pid();
  await sleep(400);
  expect(await pid()).toBe(before);
  await limited.close();
});

test('a server that falls silent is given up after the time limit of statements', async () => {
  const { hostname, port } = new URL(database.url);
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const server = dial(Number(port), hostname);
    client.pipe(server).pipe(client);
    sockets.push(client, server);
    for (const socket of [client, server]) socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const behind = await connect(url.href, { poolSize: 2, statementTimeoutMs: 100 });
  await untilPipelined(behind.pipelined);
  const silent = sockets.splice(0);
  for (const socket of silent) socket.unpipe().pause();
  const begun = performance.now();
  const lost = await sql`select 1`.execute(behind.pipelined).catch((error) => error);
  expect(unavailabilityOf(lost)?.code).toBe('SERVICE_UNAVAILABLE');
  expect(performance.now() - begun).toBeLessThan(20_000);
  for (const socket of silent) socket.destroy();
  // Those of the pool are found broken first.
  while (!(await isPipelined(behind.pipelined).catch(() => false))) await sleep(5);
  await behind.close();
  for (const socket of sockets) socket.destroy();
  proxy.close();
}, 30_000);

test('after a lost connection, statements go through the pool, and then over a new one', async () => {
  const pids = async () =>
    new Set((await Promise.all(Array.from({ length: 8 }, () => sessionOf(pipelined)))).map((session) => session?.pid));
  for (const pid of await pids()) if (pid) await sql`select pg_terminate_backend(${pid}::int)`.execute(db);
  while (!(await isPipelined().catch(() => false))) await sleep(5);
  await insert(70, 'later');
});

test('it cannot hold a transaction', async () => {
  await expect(pipelined.transaction().execute(async () => {})).rejects.toThrow('needs a connection of its own');
});
