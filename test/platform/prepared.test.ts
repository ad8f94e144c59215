import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/database.ts';
import { makeDatabase } from '../database.ts';

// These tests are about sessions of their own, also where others run through a pooler.
const database = await makeDatabase();
const connection = await connect(database.directUrl ?? database.url, { poolSize: 1 });

afterAll(async () => {
  await connection.close();
  await database.drop();
});

const plans = async () => {
  const { rows } = await sql<{ total: number }>`select count(*) as total from pg_prepared_statements`.execute(
    connection.db,
  );
  return rows[0]?.total ?? 0;
};

test('a text is planned once per connection, whatever its values', async () => {
  const before = await plans();
  for (const value of ['a', 'b', 'c']) await sql`select ${value}::text as value`.execute(connection.db);
  expect(await plans()).toBe(before + 1);
});

test('a list of ids is planned once, however long it is', async () => {
  await sql`create table item (id text primary key)`.execute(connection.db);
  const read = (ids: string[]) => sql`select id from item where id = any(${ids}::text[])`.execute(connection.db);
  for (let use = 1; use <= 10; use++) await read(Array.from({ length: use }, String));
  const { rows } = await sql<{ genericPlans: number; customPlans: number }>`
    select generic_plans, custom_plans from pg_prepared_statements where statement like 'select id from item%'`.execute(
    connection.db,
  );
  expect(rows).toEqual([{ genericPlans: 10, customPlans: 0 }]);
});

const serverProcess = async () =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection.db)).rows[0]?.pid;

test('a connection that has prepared 500 texts is replaced, so that the number of plans is bounded', async () => {
  const before = await serverProcess();
  for (let index = 0; index < 600; index++) {
    const { rows } = await sql<{ n: number }>`select ${sql.lit(index)} as n`.execute(connection.db);
    expect(rows).toEqual([{ n: index }]);
  }
  expect(await serverProcess()).not.toBe(before);
  expect(await plans()).toBeLessThan(500);
});

test('a transaction of more than 500 texts runs on one connection, which prepares no more of them', async () => {
  await connection.db.transaction().execute(async (inside) => {
    for (let index = 0; index < 600; index++) await sql`select ${sql.lit(index)} as n, 'more'`.execute(inside);
    const { rows } = await sql<{ total: number }>`select count(*) as total from pg_prepared_statements`.execute(inside);
    expect(rows[0]?.total).toBe(500);
  });
  expect(await plans()).toBeLessThan(500);
});

test('a statement with more values than can be sent fails, and the next one runs', async () => {
  const values = sql.join(Array.from({ length: 70_000 }, (_, index) => index));
  await expect(sql`select ${values}`.execute(connection.db)).rejects.toThrow('at most 65535 values');
  expect((await sql<{ n: number }>`select ${8}::int as n`.execute(connection.db)).rows).toEqual([{ n: 8 }]);
});

test('a statement that comes after the end of its transaction is not run', async () => {
  await sql`create table late (id int)`.execute(connection.db);
  let later: Promise<unknown> = Promise.resolve();
  const failing = connection.db.transaction().execute(async (transaction) => {
    const first = sql`insert into late values (1)`.execute(transaction);
    later = first.then(() => sql`insert into late values (2)`.execute(transaction));
    later.catch(() => {});
    throw new Error('Another part has failed.');
  });
  await expect(failing).rejects.toThrow('Another part has failed.');
  await later.catch(() => {});
  expect((await sql`select id from late`.execute(connection.db)).rows).toEqual([]);
});

test('a table that gets a column is read on, with the column', async () => {
  await sql`create table thing (id int)`.execute(connection.db);
  await sql`insert into thing values (1)`.execute(connection.db);
  const fresh = await connect(database.directUrl ?? database.url, { poolSize: 1 });
  const read = () => sql`select * from thing`.execute(fresh.db);
  expect((await read()).rows).toEqual([{ id: 1 }]);
  await sql`alter table thing add column name text default 'x'`.execute(connection.db);
  expect((await read()).rows).toEqual([{ id: 1, name: 'x' }]);
  await sql`alter table thing add column size int default 2`.execute(connection.db);
  await sql`deallocate all`.execute(fresh.db);
  expect((await read()).rows).toEqual([{ id: 1, name: 'x', size: 2 }]);
  await fresh.close();
});
