import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/database.ts';
import { anyOf } from '../../src/platform/database/conditions.ts';
import { statement } from '../../src/platform/database/statement.ts';
import { withStatementMeter } from '../../src/platform/database/statement-meter.ts';
import { makeDatabase } from '../database.ts';

const database = await makeDatabase();
const { db, close } = await connect(database.url, { poolSize: 2 });

afterAll(async () => {
  await close();
  await database.drop();
});

const echo = statement(
  (_db, { text, list, json, bytes }: { text: string | null; list: string[]; json: object; bytes: Buffer }) =>
    sql<object>`select ${text}::text as my_text, ${list}::text[] as list, ${json}::jsonb as json, ${bytes}::bytea as bytes`,
);

test('a statement is built once, and runs with the parameters of each call', async () => {
  let built = 0;
  const prefixed = statement((_db, { text }: { text: string }) => {
    built++;
    return sql<{ text: string }>`select 'a' || ${text}::text as text`;
  });
  expect(await Promise.all(['b', 'c'].map((text) => prefixed({ db }, { text })))).toEqual([
    [{ text: 'ab' }],
    [{ text: 'ac' }],
  ]);
  expect(built).toBe(1);
});

test('values of all types arrive as they are, and rows have property names', async () => {
  for (const text of ['', null, 'ÿ 𝒳 "\\\'', 'x'.repeat(100_000)]) {
    const given = {
      text,
      list: ['', '{"a"}', 'b\\', 'null'],
      json: { a: [1, null] },
      bytes: Buffer.from([0, 255, 10]),
    };
    // The second run is of a statement whose columns are known.
    for (let run = 0; run < 2; run++) {
      const { text: myText, ...rest } = given;
      expect(await echo({ db }, given)).toEqual([{ myText, ...rest }]);
    }
  }
});

test('names of columns can be any text', async () => {
  const odd = statement(
    () =>
      sql<object>`select 1 as "__proto__", 2 as same, 3 as same, 4 as "a'b\"\"c\\", 5 as "constructor", null as two_words`,
  );
  const [row] = await odd({ db }, {});
  expect(Object.entries(row ?? {})).toEqual([
    ['_Proto__', 1],
    ['same', 3],
    [`a'b"c\\`, 4],
    ['constructor', 5],
    ['twoWords', null],
  ]);
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
});

test('it runs in transactions, with their writes', async () => {
  await sql`create table thing (id text primary key, its_name text)`.execute(db);
  const insert = statement((_db, { id }: { id: string }) => sql`insert into thing values (${id}, 'n' || ${id})`);
  const read = statement(
    (_db, { ids }: { ids: string[] }) => sql<{ id: string }>`select * from thing where id = ${anyOf(ids)} order by id`,
  );
  const rolledBack = db.transaction().execute(async (inside) => {
    for (const id of ['1', '2', '3']) await insert({ db: inside }, { id });
    expect(await read({ db: inside }, { ids: ['1', '3', '4'] })).toEqual([
      { id: '1', itsName: 'n1' },
      { id: '3', itsName: 'n3' },
    ]);
    throw new Error('on purpose');
  });
  await expect(rolledBack).rejects.toThrow('on purpose');
  expect(await read({ db }, { ids: ['1'] })).toEqual([]);
});

test('errors are those of the database, and the connection is usable afterwards', async () => {
  const divide = statement((_db, { by }: { by: number }) => sql<{ n: number }>`select 6 / ${by}::int as n`);
  for (const by of [0, 2, 0, 3]) {
    if (by === 0) await expect(divide({ db }, { by })).rejects.toMatchObject({ code: '22012' });
    else expect(await divide({ db }, { by })).toEqual([{ n: 6 / by }]);
  }
  const circular: { self?: object } = {};
  circular.self = circular;
  const bytes = Buffer.alloc(0);
  await expect(echo({ db }, { text: '', list: [], json: circular, bytes })).rejects.toThrow('circular');
  expect(await divide({ db }, { by: 1 })).toEqual([{ n: 6 }]);
});

test('statements are counted', async () => {
  const meter = { statements: 0, milliseconds: 0 };
  const one = statement(() => sql`select 1`);
  await one({ db: withStatementMeter(db, meter), meter }, {});
  await one({ db: withStatementMeter(db, meter), meter }, {});
  await sql`select 2`.execute(withStatementMeter(db, meter));
  expect(meter.statements).toBe(3);
  expect(meter.milliseconds).toBeGreaterThan(0);
});
