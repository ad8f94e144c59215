import { CompiledQuery, sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../src/database.ts';
import { makeDatabase } from '../database.ts';

const database = await makeDatabase();
const { db, close } = await connect(database.url, { poolSize: 1 });

afterAll(async () => {
  await close();
  await database.drop();
});

/** Runs a statement twice: when it is prepared, and once it is. */
async function rowsOf(statement: ReturnType<typeof sql>): Promise<unknown[]> {
  const first = await statement.execute(db);
  const { rows } = await statement.execute(db);
  expect(rows).toEqual(first.rows);
  return rows;
}

test('values of every type are read', async () => {
  const [row] = await rowsOf(sql`
    select null::text as nothing, ''::text as empty, 'a'::varchar as some, 'b'::char(3) as padded, 'c'::name as name,
      0::integer as zero, -17::integer as negative, 2147483647::integer as max, (-2147483648)::integer as min,
      -3::smallint as small, 9007199254740991::bigint as safe, (-9007199254740991)::bigint as unsafe, null::bigint as no_count,
      true as yes, false as no, null::boolean as maybe, 1.5::double precision as half, 12.50::numeric as exact,
      '{"a": [1, "é"]}'::jsonb as json, array['x', null, 'y,z'] as list, '\\x00ff'::bytea as bytes`);
  expect(row).toEqual({
    nothing: null,
    empty: '',
    some: 'a',
    padded: 'b  ',
    name: 'c',
    zero: 0,
    negative: -17,
    max: 2147483647,
    min: -2147483648,
    small: -3,
    safe: Number.MAX_SAFE_INTEGER,
    unsafe: Number.MIN_SAFE_INTEGER,
    noCount: null,
    yes: true,
    no: false,
    maybe: null,
    half: 1.5,
    exact: '12.50',
    json: { a: [1, 'é'] },
    list: ['x', null, 'y,z'],
    bytes: Buffer.from([0, 255]),
  });
});

test('times have milliseconds, whatever PostgreSQL leaves out', async () => {
  const [row] = await rowsOf(sql`
    select '2026-01-31 10:20:30+00'::timestamptz as whole, '2026-01-31 10:20:30.5+00'::timestamptz as tenth,
      '2026-01-31 10:20:30.45+00'::timestamptz as hundredth, '2026-01-31 10:20:30.456+00'::timestamptz as thousandth,
      '2026-01-31 10:20:30.456789+00'::timestamptz as fine, '2026-01-31 12:20:30.001+02'::timestamptz as elsewhere,
      null::timestamptz as never`);
  expect(row).toEqual({
    whole: '2026-01-31T10:20:30.000Z',
    tenth: '2026-01-31T10:20:30.500Z',
    hundredth: '2026-01-31T10:20:30.450Z',
    thousandth: '2026-01-31T10:20:30.456Z',
    fine: '2026-01-31T10:20:30.456789Z',
    elsewhere: '2026-01-31T10:20:30.001Z',
    never: null,
  });
});

test('of columns with the same name, the last one counts, whatever lies between them', async () => {
  const rows = await rowsOf(sql`
    select 1 as a, null::text as b, 'first' as c, 2 as a, 'last' as c from generate_series(1, 2)`);
  expect(rows).toEqual([
    { a: 2, b: null, c: 'last' },
    { a: 2, b: null, c: 'last' },
  ]);
});

test('rows of the ORM and of libraries have the names of columns', async () => {
  const query = CompiledQuery.raw('select $1::int as one_two, $2::bigint as big_one', [1, 2]);
  expect((await db.executeQuery(query)).rows).toEqual([{ one_two: 1, big_one: 2 }]);
});

test('rows that arrive in many pieces are whole', async () => {
  const rows = await rowsOf(sql`
    select n, repeat('é' || n, 4000) as long, 'comment_' || n as id from generate_series(1, 300) n`);
  expect(rows).toEqual(
    Array.from({ length: 300 }, (_, index) => ({
      n: index + 1,
      long: `é${index + 1}`.repeat(4_000),
      id: `comment_${index + 1}`,
    })),
  );
});
